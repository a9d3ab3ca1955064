import { Trans } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { Status } from '#kit/browser/ui/Status.tsx';
import type { ReviewedDocument, ReviewRecord } from '../../contract/review.ts';

/** The file in the viewer: a document of the form, or a picture of one of its answers. */
export type ShownFile = { kind: 'document'; id: number } | { kind: 'picture'; id: string; title: string };

/** The section or document that words are written for, and the answer; '' is the whole section. */
export interface AskedAnswer {
  key: string;
  field: string;
}

/** What the sections and the documents of a review have in common. */
export interface DecideProps {
  record: ReviewRecord;
  canDecide: boolean;
  asked: AskedAnswer | undefined;
  onAsk: (asked: AskedAnswer) => void;
  /** Called when the words are saved, removed or given up. */
  onAsked: () => void;
  onAccept: (key: string) => void;
  onUndo: (key: string) => void;
  onShow: (file: ShownFile) => void;
}

export const titleOf = ({ name, description }: ReviewedDocument): string =>
  name === 'Other' && description ? description : translateOption(name);

export const addressOf = (id: number) =>
  ({ to: '/school-erp/admission/review-list/$inquiryID', params: { inquiryID: String(id) } }) as const;

/** The verdict on a document. */
export function DocumentStatus({ document: { result, isNew, isOriginalSeen } }: { document: ReviewedDocument }) {
  if (result === 'Rejected')
    return (
      <Status kind="bad">
        <Trans>Rejected</Trans>
      </Status>
    );
  if (result === 'Verified')
    return <Status kind="good">{isOriginalSeen ? <Trans>Original seen</Trans> : <Trans>Verified</Trans>}</Status>;
  return <Status kind="accent">{isNew ? <Trans>New</Trans> : <Trans>To check</Trans>}</Status>;
}
