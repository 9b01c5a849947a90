import type { Warnings } from "../model/warnings.ts";
import { warnings as words } from "../text/index.ts";
import { Icon } from "./icons.tsx";

export function WarningList({ warnings }: { warnings: Warnings }) {
  const { characters, spaces, blankLines } = warnings.hidden;
  const list: { what: string; more: string }[] = [];
  if (characters > 0) list.push({ what: words.hidden(characters), more: words.hiddenMore });
  if (spaces + blankLines > 0) {
    list.push({ what: words.padding(spaces, blankLines), more: words.paddingMore });
  }
  for (const claim of warnings.claims) {
    const claims = claim.refuses ? words.claimsAllowance : words.claimsRefusal;
    list.push({ what: claims(claim.place), more: words.claimMore });
  }
  if (list.length === 0) return null;
  return (
    <ul class="warns" aria-label={words.label}>
      {list.map(({ what, more }) => (
        <li class="warn" key={what}>
          <Icon name="warn" />
          <p>
            <strong>{what}</strong>
            {more}
          </p>
        </li>
      ))}
    </ul>
  );
}
