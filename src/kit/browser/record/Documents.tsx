import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Fragment, type ReactNode, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { CancelUpload, UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button, ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import {
  type DocumentApi,
  needsExpiry,
  noFile,
  type OfferedType,
  type RecordDocument,
} from '#kit/contract/documents.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { Facts } from './Facts.tsx';
import { RecordCard } from './RecordCard.tsx';

interface OwnerProps {
  api: DocumentApi;
  /** The record. */
  id: number;
  /** The user adds and removes documents. */
  mayAdd: boolean;
  /** The user keeps the record: verifies, rejects and removes any document. */
  mayDecide: boolean;
  /** What is said below the type, and below the remark of a rejection. */
  addHint?: ReactNode;
  rejectHint?: ReactNode;
}

/** The documents of a record, each with its file, its verification and its expiry. */
export function Documents(owner: OwnerProps) {
  const { api, id, mayAdd } = owner;
  const { t } = useLingui();
  const toast = useToast();
  const query = useRead(api.documents, { id });
  const decide = useAction(api.decideDocument);
  const remove = useAction(api.removeDocument);
  const section = useRef<HTMLElement>(null);
  const done = (words: string) => {
    toast({ kind: 'success', title: words });
    section.current?.focus(); // The pressed button is gone.
  };
  const verify = async ({ id: document, version }: RecordDocument) => {
    const decision = { id, document, version, isVerified: true, remark: '' };
    if (await decide.run(decision)) done(t`Verified.`);
  };
  const removeRow = async ({ id: document }: RecordDocument) => {
    if (await remove.run({ id, document })) done(t`Removed.`);
  };
  return (
    <RecordCard
      ref={section}
      isWide
      title={<Trans>Documents</Trans>}
      actions={mayAdd && query.data && <AddDocument owner={owner} types={query.data.types} />}
    >
      <QueryBoundary query={query}>
        {({ documents, missing }) => (
          <>
            {missing.length > 0 && (
              <Notice>
                <Trans>Missing: {missing.join(', ')}</Trans>
              </Notice>
            )}
            {decide.problem}
            {remove.problem}
            {documents.length === 0 ? (
              <EmptyState message={<Trans>No documents yet</Trans>} />
            ) : (
              <ListRows
                caption={<Trans>Documents</Trans>}
                heads={[t`Document`, t`Issued on`, t`Expires on`, t`Status`]}
                rows={documents.map((document) => ({
                  key: document.id,
                  cells: [
                    <Fragment key="type">
                      {document.type}
                      <div className="soft">
                        <Trans>Added on {showMoment(document.addedAt)}</Trans>
                      </div>
                    </Fragment>,
                    document.issuedOn && showDate(document.issuedOn),
                    document.expiresOn && showDate(document.expiresOn),
                    <Status key="status" document={document} />,
                  ],
                  actions: (
                    <Actions owner={owner} document={document} onVerify={verify} onRemove={removeRow} onDone={done} />
                  ),
                }))}
              />
            )}
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

interface VerifyProps {
  owner: OwnerProps;
  /** The type of the document that waits. */
  type: string;
  onClose: () => void;
}

/** The panel of the document that has waited longest: its file, and the decision. */
export function VerifyDocument({ owner, type, onClose }: VerifyProps) {
  const { t } = useLingui();
  // The next one waits for a press of its own.
  const [title] = useState(t`Verify ${type}`);
  const query = useRead(owner.api.documents, { id: owner.id });
  return (
    <SideDialog title={title} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={query}>
          {({ documents }) => <Waiting owner={owner} documents={documents} close={close} />}
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

const longestWaiting = (documents: readonly RecordDocument[]) =>
  documents
    .filter(({ status }) => status === 'Waiting')
    .sort((one, other) => one.addedAt.localeCompare(other.addedAt) || one.id - other.id)[0];

interface WaitingProps {
  owner: OwnerProps;
  documents: readonly RecordDocument[];
  close: () => void;
}

function Waiting({ owner, documents, close }: WaitingProps) {
  const { t } = useLingui();
  const toast = useToast();
  const decide = useAction(owner.api.decideDocument);
  const [opened] = useState(longestWaiting(documents)?.id);
  const document = documents.find(({ id, status }) => id === opened && status === 'Waiting');
  if (!document)
    return (
      <>
        {decide.problem}
        <EmptyState message={<Trans>This document is already decided.</Trans>} />
      </>
    );
  const { id, version, type, addedAt, issuedOn, expiresOn } = document;
  const done = (words: string) => {
    close();
    toast({ kind: 'success', title: words });
  };
  const verify = async () => {
    const decision = { id: owner.id, document: id, version, isVerified: true, remark: '' };
    if (await decide.run(decision)) done(t`Verified.`);
  };
  return (
    <>
      <Facts
        facts={[
          { label: t`Document`, value: type },
          { label: t`Added on`, value: showMoment(addedAt) },
          { label: t`Issued on`, value: issuedOn && showDate(issuedOn) },
          { label: t`Expires on`, value: expiresOn && showDate(expiresOn) },
        ]}
      />
      <Row mt={12} mb={12}>
        <ButtonAnchor
          href={addressOf(owner, id)}
          target="_blank"
          rel="noreferrer"
          aria-label={t`View ${type}, opens in a new tab`}
        >
          <Trans>View</Trans>
        </ButtonAnchor>
      </Row>
      {decide.problem}
      <DialogButtons>
        <Reject owner={owner} document={document} title={t`Reject ${type}`} onDone={() => done(t`Rejected.`)} />
        <Button kind="main" isBusy={decide.isBusy} onClick={() => void verify()}>
          <Trans>Verify</Trans>
        </Button>
      </DialogButtons>
    </>
  );
}

const addressOf = ({ api, id }: OwnerProps, document: number) =>
  `/api${api.viewDocument.path.replace(':id', String(id)).replace(':document', String(document))}`;

function Status({ document: { status, daysLeft, isExpiring, decidedBy, remark } }: { document: RecordDocument }) {
  return (
    <>
      <StatusChip status={status} daysLeft={daysLeft} isExpiring={isExpiring} />
      {remark && <div>{remark}</div>}
      {decidedBy && (
        <div className="soft">
          {status === 'Rejected' ? <Trans>Rejected by {decidedBy}</Trans> : <Trans>Verified by {decidedBy}</Trans>}
        </div>
      )}
    </>
  );
}

function StatusChip({ status, daysLeft, isExpiring }: Pick<RecordDocument, 'status' | 'daysLeft' | 'isExpiring'>) {
  const words = translateOption(status);
  if (status === 'Waiting') return <Chip kind="info">{words}</Chip>;
  if (status === 'Rejected') return <Chip kind="bad">{words}</Chip>;
  if (daysLeft === null || !isExpiring) return <Chip kind="good">{words}</Chip>;
  if (daysLeft < 0)
    return (
      <Chip kind="bad">
        <Trans>Expired</Trans>
      </Chip>
    );
  return (
    <Chip kind="warn">
      <Plural value={daysLeft} _0="Expires today" one="Expires in # day" other="Expires in # days" />
    </Chip>
  );
}

interface ActionsProps {
  owner: OwnerProps;
  document: RecordDocument;
  onVerify: (document: RecordDocument) => Promise<void>;
  onRemove: (document: RecordDocument) => Promise<void>;
  onDone: (words: string) => void;
}

function Actions({ owner, document, onVerify, onRemove, onDone }: ActionsProps) {
  const { t } = useLingui();
  const { type, status, addedAt } = document;
  // A person may have several documents of one type.
  const name = t`${type}, added on ${showMoment(addedAt)}`;
  return (
    <>
      <ButtonAnchor
        kind="quiet"
        href={addressOf(owner, document.id)}
        target="_blank"
        rel="noreferrer"
        aria-label={t`View ${name}, opens in a new tab`}
      >
        <Trans>View</Trans>
      </ButtonAnchor>
      {owner.mayDecide && status === 'Waiting' && (
        <>
          <Button kind="quiet" aria-label={t`Verify ${name}`} onClick={() => void onVerify(document)}>
            <Trans>Verify</Trans>
          </Button>
          <Reject owner={owner} document={document} title={t`Reject ${name}`} onDone={onDone} />
        </>
      )}
      {(owner.mayDecide || (owner.mayAdd && status !== 'Verified')) && (
        <ConfirmButton
          name={t`Remove ${name}`}
          label={<Trans>Remove</Trans>}
          question={<Trans>Remove {type} and its file? This can’t be undone.</Trans>}
          confirm={<Trans>Remove</Trans>}
          onConfirm={() => void onRemove(document)}
        />
      )}
    </>
  );
}

interface RejectProps extends Pick<ActionsProps, 'owner' | 'document' | 'onDone'> {
  title: string;
}

function Reject({ owner, document, title, onDone }: RejectProps) {
  const { t } = useLingui();
  return (
    <FormOpener title={title} label={<Trans>Reject</Trans>}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={owner.api.decideDocument}
          initial={{ remark: '' }}
          hiddenValues={{ id: owner.id, document: document.id, version: document.version, isVerified: false }}
          words={<Trans>Reject</Trans>}
          saved={null}
          onDone={() => onDone(t`Rejected.`)}
          onClose={onClose}
        >
          <TextField name="remark" long required hint={owner.rejectHint} />
        </RecordForm>
      )}
    </FormOpener>
  );
}

function AddDocument({ owner, types }: { owner: OwnerProps; types: OfferedType[] }) {
  const { t } = useLingui();
  const title = t`Add document`;
  const validate = (values: Values, files: Record<string, File>): FieldErrors => ({
    ...(doesExpire(types, values) && !values.expiresOn && { expiresOn: needsExpiry }),
    ...(!files.file && { file: noFile }),
  });
  return (
    <FormOpener title={title} label={title}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={owner.api.addDocument}
          initial={{ documentTypeId: '', issuedOn: '', expiresOn: '' }}
          hiddenValues={{ id: owner.id }}
          validate={validate}
          words={<Trans>Add</Trans>}
          saved={t`Added.`}
          status={<UploadStatus />}
          buttons={<CancelUpload />}
          onClose={onClose}
        >
          <SelectField
            name="documentTypeId"
            options={types.map(({ id, name }) => ({ value: String(id), label: name }))}
            hint={owner.addHint}
          />
          <DateField name="issuedOn" />
          <Expiry types={types} />
          <UploadField
            name="file"
            hint={<Trans>JPG, PNG or PDF, at most 4 MB. On an Aadhaar copy, cover the first 8 digits.</Trans>}
          />
        </RecordForm>
      )}
    </FormOpener>
  );
}

const doesExpire = (types: OfferedType[], { documentTypeId }: Values): boolean =>
  types.some(({ id, hasExpiry }) => hasExpiry && String(id) === documentTypeId);

function Expiry({ types }: { types: OfferedType[] }) {
  const { values } = useApiForm();
  return <DateField name="expiresOn" required={doesExpire(types, values)} />;
}
