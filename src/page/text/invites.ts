export const invites = {
  title: "Invite",
  person: "A person",
  personLead: "Whoever has this link can join as a person and answer every card here.",
  personMake: "Make a link",
  human: "Human link",
  qr: "QR code of the human link",
  agent: "An agent",
  agentLead: "With its invite an agent can ask here, and never answer.",
  agentMake: "Make an invite",
  making: "Making …",
  run: "One line for a terminal",
  runLead:
    "In place of YOUR-AGENT write what starts your ACP agent. The invite in the line is a key.",
  prompt: "A prompt for a setup agent",
  promptLead: "For a coding agent that is to set this up with you. There is no key in it.",
} as const;

/** Where nobody has asked yet. */
export const firstSteps = {
  bring: "Bring in an agent, or open a demo card first.",
  invite: "Invite an agent",
  demo: "See one card now",
  demoLead: "One line for a terminal opens a demo card here, and prints what you press.",
  demoMake: "Make the line",
  question: "Is this readable?",
} as const;

/** What a terminal runs to put an agent into the Room. `invite` is the only secret in it, and no list of processes shows it. */
export function runsAgent(invite: string, origin: string): string {
  return `${handraise(invite, origin)} run -- YOUR-AGENT`;
}

/** What a terminal runs to open one card. */
export function opensDemo(invite: string, origin: string): string {
  return `${handraise(invite, origin)} ask "${firstSteps.question}"`;
}

/** An address has no quote in it, and an invite neither. */
function handraise(invite: string, origin: string): string {
  return `HANDRAISE_INVITE='${origin}/r#${invite}' npx -y ${origin}/handraise.tgz`;
}

/** What a person gives to a coding agent that is to put another one, or itself, into a Room of this server. */
export function setupPrompt(origin: string): string {
  return `Read ${origin}/agent.md and follow it step by step: it says how to bring a coding agent into a Handraise Room on that server. Let me make every decision in it. I keep the links and invites of the Room to myself: do not ask for them here. Change no permission setting without my explicit yes.`;
}
