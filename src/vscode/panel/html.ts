/** What the page of the panel is made of; addresses as the webview reaches them. */
export interface PanelPage {
  readonly script: string;
  readonly style: string;
  /** What the webview calls its own origin. */
  readonly cspSource: string;
  /** A fresh random value per page. */
  readonly nonce: string;
}

function attribute(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}

/**
 * The panel's page. Its policy lets nothing in but our own script (by nonce), style sheet and icon font: no inline
 * script or style, no image, no frame, no connection.
 */
export function panelHtml(page: PanelPage): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${page.nonce}'`,
    `style-src ${page.cspSource}`,
    `font-src ${page.cspSource}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(page.style)}">
<title>Conclave</title>
</head>
<body>
<div id="app"></div>
<script nonce="${attribute(page.nonce)}" src="${attribute(page.script)}"></script>
</body>
</html>
`;
}
