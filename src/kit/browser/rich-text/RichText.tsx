import type { ReactNode } from 'react';
import { linkAddress } from '#kit/contract/link-address.ts';
import type { Block, Run } from '#kit/contract/rich-text.ts';
import styles from './RichText.module.css';

type ListKind = 'bullet' | 'number';
type Part = { kind: ListKind; items: Block[] } | { kind: 'single'; block: Block };

/** Neighbouring items of one kind are one list. */
function partsOf(blocks: readonly Block[]): Part[] {
  const parts: Part[] = [];
  for (const block of blocks) {
    const last = parts.at(-1);
    if (block.kind !== 'bullet' && block.kind !== 'number') parts.push({ kind: 'single', block });
    else if (last?.kind === block.kind) last.items.push(block);
    else parts.push({ kind: block.kind, items: [block] });
  }
  return parts;
}

/** A text in blocks. Nothing of it is ever read as HTML. */
export const RichText = ({ blocks }: { blocks: readonly Block[] }) => (
  <div className={styles.text}>
    {partsOf(blocks).map((part, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn as a whole.
      <PartOf key={place} part={part} />
    ))}
  </div>
);

function PartOf({ part }: { part: Part }) {
  if (part.kind === 'single') {
    const { block } = part;
    const words = <Runs runs={block.runs} />;
    if (block.kind !== 'heading') return <p>{words}</p>;
    return block.level === 2 ? <h4>{words}</h4> : <h3>{words}</h3>;
  }
  const items = part.items.map(({ level, runs }, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn as a whole.
    <li key={place} data-level={level}>
      <Runs runs={runs} />
    </li>
  ));
  return part.kind === 'bullet' ? <ul>{items}</ul> : <ol>{items}</ol>;
}

const Runs = ({ runs }: { runs: readonly Run[] }) =>
  runs.map((run, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text is drawn as a whole.
    <span key={place}>{styled(run)}</span>
  ));

function styled({ text, isBold, isItalic, link }: Run): ReactNode {
  const italic = isItalic ? <em>{text}</em> : text;
  const bold = isBold ? <strong>{italic}</strong> : italic;
  const address = link === undefined ? undefined : linkAddress(link);
  return address === undefined ? (
    bold
  ) : (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {bold}
    </a>
  );
}
