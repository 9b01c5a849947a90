import { useState } from "preact/hooks";
import type { HistoryFile } from "../../client/index.ts";
import { history as words } from "../text/people.ts";
import { Icon } from "./icons.tsx";
import { useRoom } from "./room-context.ts";

const FORMATS: readonly HistoryFile[] = ["jsonl", "csv"];
/** A browser may still read the file for a while after its download began. */
const REVOKE_MS = 60_000;

/** The record of the whole Room, as a file. It takes the key of whoever asks, so it is no plain link. */
export function HistoryButtons() {
  const { session } = useRoom();
  const [loading, setLoading] = useState<HistoryFile>();
  const [hasFailed, setFailed] = useState(false);
  const download = async (format: HistoryFile) => {
    if (loading !== undefined) return;
    setLoading(format);
    setFailed(false);
    try {
      save(await session.api.history(format), `handraise-history.${format}`);
    } catch {
      setFailed(true);
    }
    setLoading(undefined);
  };
  return (
    <>
      {FORMATS.map((format) => (
        <button
          key={format}
          class="btn btn-quiet"
          type="button"
          aria-disabled={loading !== undefined}
          onClick={() => void download(format)}
        >
          <Icon name={loading === format ? "spin" : "down"} small spins={loading === format} />
          <span aria-hidden="true">{words.file(format)}</span>
          <span class="sr">{words.download(format)}</span>
        </button>
      ))}
      <span class="problem" role="alert">
        {hasFailed && words.failed}
      </span>
    </>
  );
}

function save(bytes: Uint8Array<ArrayBuffer>, name: string): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}
