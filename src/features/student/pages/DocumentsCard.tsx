import { Documents, VerifyDocument } from '#kit/browser/record/Documents.tsx';
import { studentDocumentApi } from '../contract/document.ts';
import type { StudentHead } from '../contract/record.ts';

/** The documents of a student, which the office keeps. */
export const DocumentsCard = ({ head: { id, may } }: { head: StudentHead }) => (
  <Documents api={studentDocumentApi} id={id} mayAdd={may.change} mayDecide={may.change} />
);

/** The document of a student that has waited longest. */
export const VerifyWaiting = ({ head: { id, toVerify }, onClose }: { head: StudentHead; onClose: () => void }) => (
  <VerifyDocument
    owner={{ api: studentDocumentApi, id, mayAdd: true, mayDecide: true }}
    type={toVerify}
    onClose={onClose}
  />
);
