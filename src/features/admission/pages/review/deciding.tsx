import { Trans } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import type { ReviewRecord } from '../../contract/review.ts';

/** The file in the viewer: a document of the form, or a picture of one of its answers. */
export type ShownFile = { kind: 'document'; id: number } | { kind: 'picture'; id: string; title: string };

/** What the sections and the documents of a review have in common. */
export interface DecideProps {
  record: ReviewRecord;
  canDecide: boolean;
  /** The item that a remark is written for, and its field. */
  asked: { key: string; field: string } | undefined;
  onAsk: (asked: { key: string; field: string } | undefined) => void;
  onAccept: (key: string) => Promise<unknown>;
  onDecided: (key: string) => void;
  onShow: (file: ShownFile) => void;
}

/** The verdict on a section or a document, and who gave it. */
export function VerdictChip({ result, by }: { result: string | null; by: string }) {
  if (result === null)
    return (
      <Chip>
        <Trans>To check</Trans>
      </Chip>
    );
  const isGood = result === 'Accepted' || result === 'Verified';
  return (
    <>
      <Chip kind={isGood ? 'good' : 'bad'}>{translateOption(result)}</Chip>
      {by && <span className="soft">{by}</span>}
    </>
  );
}
