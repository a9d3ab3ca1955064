import { translate } from '#kit/browser/text.ts';
import type { Text } from '#kit/contract/text.ts';

/** The lines of a preview; nothing without any. */
export function TextLines({ lines }: { lines: readonly Text[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="plan">
      {[...new Set(lines.map(translate))].map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
