/** What the panel's page has saved for when it comes back, as an expression that is read in the page. */
export const SAVED = `JSON.parse(sessionStorage.getItem("state") ?? "null")`;
