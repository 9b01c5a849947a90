import { CopyButton } from "./copy-button.tsx";

/** A key to the Room, shown whole and ready to be copied. */
export function Secret({ label, lead, text }: { label: string; lead: string; text: string }) {
  return (
    <section class="copy" aria-label={label}>
      <div class="copy-head">
        <h2>{label}</h2>
        <CopyButton text={text} what={label} />
      </div>
      <p class="hint">{lead}</p>
      <pre class="copy-text">
        <code>{text}</code>
      </pre>
    </section>
  );
}
