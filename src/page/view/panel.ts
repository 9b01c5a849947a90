/** What opens above the cards when somebody asks for it. */
export type Panel = "alerts" | "invite" | "people";

/** Where it opens. */
export const PANEL_ID = "panel";
/** The header's button of each; focus goes back there. */
export const PANEL_BUTTON: Readonly<Record<Panel, string>> = {
  alerts: "open-alerts",
  invite: "open-invite",
  people: "open-people",
};
