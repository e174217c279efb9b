/** Settings of the test window; the tests change what they need through VS Code's own API. */
export const USER_SETTINGS = {
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.colorTheme": "Default Dark Modern",
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "window.restoreWindows": "none",
  "chat.viewSessions.enabled": false,
};
