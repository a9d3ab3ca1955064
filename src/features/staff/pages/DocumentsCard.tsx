import { Trans } from '@lingui/react/macro';
import { Documents } from '#kit/browser/record/Documents.tsx';
import { staffDocumentApi } from '../contract/document.ts';
import type { StaffRecord } from '../contract/record.ts';

/** The documents of a staff record, for the person and the keepers. */
export const DocumentsCard = ({ record: { id, card, may } }: { record: StaffRecord }) => (
  <Documents
    api={staffDocumentApi}
    id={id}
    mayAdd
    mayDecide={may.update}
    addHint={!may.update && <Trans>HR checks the document before it counts.</Trans>}
    rejectHint={<Trans>{card.name} sees this remark.</Trans>}
  />
);
