import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import IconCircle from '@tabler/icons-react/dist/esm/icons/IconCircle.mjs';
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs';
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs';
import { useAction } from '#kit/browser/data/action.ts';
import { get } from '#kit/browser/data/get.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import type { Draft } from '#kit/browser/form/draft.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { Note } from '#kit/browser/form/question.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { CancelUpload, UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button, ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import type { Correction } from '../contract/correction.ts';
import {
  type AdmissionDocument,
  documentApi,
  documentFileRequired,
  documentNames,
  documentTwice,
  requiredDocuments,
} from '../contract/document.ts';
import type { OpenInquiry } from '../contract/inquiry.ts';
import checklist from './Checklist.module.css';
import styles from './Documents.module.css';
import { fileAddress } from './file-address.ts';
import { formIdentity } from './form-values.ts';
import { noteUploaded } from './inquiry-state.ts';
import { Section } from './StepPage.tsx';
import { useFormEnd } from './use-form-end.ts';
import { useRowChanges } from './use-row-changes.ts';

const empty = { documentName: '', otherDocumentDescription: '' };
const fileField = 'DocumentIFormFile';

interface Props {
  inquiry: OpenInquiry;
  documents: AdmissionDocument[];
  onChange: (documents: AdmissionDocument[]) => void;
  draft: Draft;
  onSending: (isSending: boolean) => void;
}

export function Documents({ inquiry, documents, onChange, draft, onSending }: Props) {
  const { t } = useLingui();
  const { onRefused } = useFormEnd();
  const { heading, changed, onRefused: onRemoveRefused } = useRowChanges();
  const remove = useAction(documentApi.remove, { onRefused: onRemoveRefused });

  const validate = ({ documentName }: Values, files: Record<string, File>): FieldErrors => ({
    ...(files[fileField] ? {} : { [fileField]: documentFileRequired }),
    ...(documents.some((document) => document.documentName === documentName && !document.isRejected)
      ? { documentName: documentTwice }
      : {}),
  });

  /** A cancelled upload may still have reached the server. */
  const reload = () =>
    get(documentApi.list, {}).then(
      ({ data }) => onChange(data.resultList),
      () => undefined,
    );
  const showDocuments = ({ data, text }: OutputOf<typeof documentApi.remove>) => {
    for (const { documentName } of data.resultList.filter(({ isRejected }) => !isRejected)) noteUploaded(documentName);
    onChange(data.resultList);
    changed(text);
  };
  const removeDocument = async (id: number) => {
    const answer = await remove.run({ id });
    if (answer) showDocuments(answer);
  };
  return (
    <Section title={<Trans>Documents</Trans>} name={msg`Documents`}>
      <Checklist documents={documents} waived={inquiry.waivedDocuments} />
      <DocumentNotes correction={inquiry.correction} />
      {documents.length === 0 ? (
        <EmptyState message={<Trans>No record found</Trans>} />
      ) : (
        <DocumentTable documents={documents} onRemove={removeDocument} />
      )}
      <h3 tabIndex={-1} ref={heading}>
        <Trans>Upload a document</Trans>
      </h3>
      <ApiForm
        endpoint={documentApi.add}
        label={t`Upload a document`}
        initial={empty}
        hiddenValues={formIdentity(inquiry, null)}
        validate={validate}
        draft={draft}
        resetsAfterSend
        onSending={onSending}
        onCancelled={() => void reload()}
        onRefused={onRefused}
        onDone={showDocuments}
        buttons={(isSending) => (
          <>
            <UploadStatus />
            <div className={styles.buttons}>
              <Button type="submit" isBusy={isSending}>
                {isSending ? <Trans>Uploading</Trans> : <Trans>Upload</Trans>}
              </Button>
              <CancelUpload />
            </div>
          </>
        )}
      >
        <SelectField
          name="documentName"
          options={documentNames}
          width="medium"
          hint={
            <Trans>
              As “Aadhar Card” you can upload the Aadhaar card, a passport, or the enrolment slip if you entered
              “Applied for” in step 1. For a report card, choose “Other”.
            </Trans>
          }
        />
        <OtherDescription />
        <UploadField
          name={fileField}
          hint={<Trans>JPG, PNG or PDF, at most 4 MB. On an Aadhaar copy, cover the first 8 digits.</Trans>}
        />
      </ApiForm>
    </Section>
  );
}

/** The school's words about documents, also about one that was removed since. */
function DocumentNotes({ correction }: { correction: Correction | null }) {
  const { t } = useLingui();
  const remarks = (correction?.remarks ?? []).filter(({ section, field }) => section === 'Documents' && field !== '');
  if (remarks.length === 0) return null;
  return (
    <div className={styles.notes}>
      {remarks.map(({ field, remark }) => {
        const name = translateOption(field);
        const id = `document-note-${field.replaceAll(' ', '-')}`;
        return <Note key={`${field} ${remark}`} id={id} note={t`${name}. The school: ${remark}`} />;
      })}
    </div>
  );
}

function OtherDescription() {
  const isOther = useApiForm().values.documentName === 'Other';
  return isOther ? <TextField name="otherDocumentDescription" required long /> : null;
}

function Checklist({ documents, waived }: { documents: AdmissionDocument[]; waived: string[] }) {
  const { t } = useLingui();
  const words: Record<string, string> = {
    'Birth Certificate': t`Birth Certificate`,
    'Aadhar Card': t`Aadhar Card (or passport, or enrolment slip)`,
  };
  return (
    <ul className={checklist.checklist}>
      {requiredDocuments.map((name) => {
        const isThere = documents.some(({ documentName }) => documentName === name);
        const isWaived = waived.includes(name);
        const isRejected = documents.some((document) => document.documentName === name && document.isRejected);
        const isDone = (isThere && !isRejected) || isWaived;
        return (
          <li key={name} className={isRejected ? checklist.rejected : isDone ? checklist.checked : undefined}>
            {isRejected ? (
              <IconCircleX size={20} aria-hidden />
            ) : isDone ? (
              <IconCircleCheck size={20} aria-hidden />
            ) : (
              <IconCircle size={20} aria-hidden />
            )}
            <span>
              {words[name]}:{' '}
              {isRejected ? (
                <b>{t`rejected, upload another file`}</b>
              ) : isThere ? (
                <b>{t`uploaded`}</b>
              ) : isWaived ? (
                <b>{t`not required`}</b>
              ) : (
                <b>{t`required`}</b>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function DocumentTable({ documents, onRemove }: { documents: AdmissionDocument[]; onRemove: (id: number) => void }) {
  const { t } = useLingui();
  return (
    <CardTable
      caption={<Trans>Uploaded documents</Trans>}
      heads={[t`Document`, t`Description`]}
      rows={documents.map((document) => {
        const name = translateOption(document.documentName);
        return {
          key: document.studentAdmissionDocumentsID,
          cells: [name, document.otherDocumentDescription],
          actions: (
            <>
              <ButtonAnchor
                kind="quiet"
                href={fileAddress(document.documentFilePath)}
                target="_blank"
                rel="noreferrer"
                aria-label={t`View ${name}, opens in a new tab`}
              >
                <Trans>View</Trans>
              </ButtonAnchor>
              <ConfirmButton
                name={t`Remove ${name}`}
                label={<Trans>Remove</Trans>}
                question={<Trans>Remove {name}?</Trans>}
                confirm={<Trans>Remove</Trans>}
                onConfirm={() => onRemove(document.studentAdmissionDocumentsID)}
              />
            </>
          ),
        };
      })}
    />
  );
}
