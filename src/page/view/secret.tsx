import { CopyButton } from "./copy-button.tsx";

interface Props {
  label: string;
  lead?: string;
  text: string;
  /** Its heading's level, by what stands above. */
  as?: "h2" | "h3" | "h4";
}

/** A text to be taken elsewhere, often a key to the Room, shown whole and ready to be copied. */
export function Secret({ label, lead, text, as: Heading = "h2" }: Props) {
  return (
    <section class="copy" aria-label={label}>
      <div class="copy-head">
        <Heading>{label}</Heading>
        <CopyButton text={text} what={label} />
      </div>
      {lead !== undefined && <p class="hint">{lead}</p>}
      <pre class="copy-text">
        <code>{text}</code>
      </pre>
    </section>
  );
}
