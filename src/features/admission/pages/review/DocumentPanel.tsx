import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { FileViewer } from '#kit/browser/ui/FileViewer.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { type ReviewedDocument, type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { type DecideProps, type ShownFile, VerdictChip } from './deciding.tsx';
import styles from './ReviewPage.module.css';

interface Props extends DecideProps {
  shown: ShownFile | undefined;
}

/** The documents of the form with their verdicts, and the one that is looked at. */
export function DocumentPanel(props: Props) {
  const { record, shown, onShow } = props;
  const { t } = useLingui();
  const [first] = record.documents;
  const file = shown ?? (first && ({ kind: 'document', id: first.id } as const));
  return (
    <aside className={styles.documents} aria-label={t`Documents`}>
      <h2>
        <Trans>Documents</Trans>
      </h2>
      {record.missing.map((name) => (
        <Missing key={name} record={record} canDecide={props.canDecide} name={name} />
      ))}
      {record.waivers.map(({ what, reason }) => (
        <Waived key={what} record={record} canDecide={props.canDecide} what={what} reason={reason} />
      ))}
      <ul className={styles.list}>
        {record.documents.map((document) => (
          <DocumentRow key={document.id} {...props} document={document} isShown={file?.id === document.id} />
        ))}
      </ul>
      {record.documents.length === 0 && record.missing.length === 0 && (
        <p className="soft">
          <Trans>No documents.</Trans>
        </p>
      )}
      {file?.kind === 'picture' && (
        <>
          <FileViewer title={file.title} address={`/api/review/${record.id}/file/${file.id}`} />
          {first && (
            <Button kind="quiet" onClick={() => onShow({ kind: 'document', id: first.id })}>
              <Trans>Back to the documents</Trans>
            </Button>
          )}
        </>
      )}
      {record.documents.map(
        (document) =>
          file?.kind === 'document' &&
          file.id === document.id && (
            <FileViewer
              key={document.id}
              title={titleOf(document)}
              address={`/api/review/${record.id}/document/${document.id}/file`}
            />
          ),
      )}
    </aside>
  );
}

const titleOf = ({ name, description }: ReviewedDocument) =>
  name === 'Other' && description ? description : translateOption(name);

interface RowProps extends Props {
  document: ReviewedDocument;
  isShown: boolean;
}

function DocumentRow({ record, document, canDecide, isShown, asked, onAsk, onAccept, onDecided, onShow }: RowProps) {
  const { t } = useLingui();
  const key = `document-${document.id}`;
  const title = titleOf(document);
  const { result, remark, isNew, isOriginalSeen, decidedBy } = document;
  return (
    <li className={styles.document} data-review={key} data-shown={isShown} tabIndex={-1} aria-label={title}>
      <div className={styles.head}>
        <Button
          kind="quiet"
          edge="start"
          aria-pressed={isShown}
          aria-label={t`Show ${title}`}
          onClick={() => onShow({ kind: 'document', id: document.id })}
        >
          {title}
        </Button>
        <VerdictChip result={result} by={decidedBy} />
        {isNew && (
          <Chip kind="warn">
            <Trans>New</Trans>
          </Chip>
        )}
        {isOriginalSeen && (
          <Chip kind="info">
            <Trans>Original seen</Trans>
          </Chip>
        )}
      </div>
      {remark && <p className={styles.remark}>{remark}</p>}
      {canDecide && (
        <div className={styles.buttons}>
          {result !== 'Verified' && (
            <Button kind="quiet" aria-label={t`Verify ${title}`} onClick={() => void onAccept(key)}>
              <Trans>Verify</Trans>
            </Button>
          )}
          {result === 'Verified' && !isOriginalSeen && (
            <OriginalSeen record={record} document={document} title={title} />
          )}
          {result !== 'Rejected' && (
            <Button kind="quiet" aria-label={t`Reject ${title}`} onClick={() => onAsk({ key, field: '' })}>
              <Trans>Reject…</Trans>
            </Button>
          )}
        </div>
      )}
      {asked?.key === key && (
        <RecordForm
          title={t`Reject ${title}`}
          endpoint={reviewApi.decideDocument}
          initial={{ remark }}
          hiddenValues={{
            id: record.id,
            answersVersion: record.answersVersion,
            document: document.id,
            result: 'Rejected',
            isOriginalSeen: false,
          }}
          words={<Trans>Reject</Trans>}
          saved={null}
          onDone={() => onDecided(key)}
          onClose={() => onAsk(undefined)}
        >
          <TextField
            name="remark"
            required
            long
            takesFocus
            hint={<Trans>The family reads these words beside the document.</Trans>}
          />
        </RecordForm>
      )}
    </li>
  );
}

interface OriginalSeenProps {
  record: ReviewRecord;
  document: ReviewedDocument;
  title: string;
}

function OriginalSeen({ record, document, title }: OriginalSeenProps) {
  const { t } = useLingui();
  const decide = useAction(reviewApi.decideDocument);
  const mark = () =>
    decide.run({
      id: record.id,
      answersVersion: record.answersVersion,
      document: document.id,
      result: 'Verified',
      isOriginalSeen: true,
      remark: '',
    });
  return (
    <>
      <Button kind="quiet" isBusy={decide.isBusy} aria-label={t`Original seen: ${title}`} onClick={() => void mark()}>
        <Trans>Original seen</Trans>
      </Button>
      {decide.problem}
    </>
  );
}

/** A required document that is not there; it can be waived with a reason. */
function Missing({ record, canDecide, name }: { record: ReviewRecord; canDecide: boolean; name: string }) {
  const { t } = useLingui();
  const title = t`Waive ${translateOption(name)}`;
  return (
    <Notice as="div">
      <Trans>Missing: {translateOption(name)}</Trans>{' '}
      {canDecide && (
        <FormOpener title={title} label={<Trans>Waive…</Trans>}>
          {(onClose) => (
            <RecordForm
              title={title}
              endpoint={reviewApi.waive}
              initial={{ reason: '' }}
              hiddenValues={{ id: record.id, answersVersion: record.answersVersion, what: name }}
              words={<Trans>Waive</Trans>}
              saved={null}
              onClose={onClose}
            >
              <TextField name="reason" />
            </RecordForm>
          )}
        </FormOpener>
      )}
    </Notice>
  );
}

interface WaivedProps {
  record: ReviewRecord;
  canDecide: boolean;
  what: string;
  reason: string;
}

function Waived({ record, canDecide, what, reason }: WaivedProps) {
  const { t } = useLingui();
  const end = useAction(reviewApi.endWaiver);
  const title = translateOption(what);
  return (
    <p>
      <Trans>
        Waived: {title}. {reason}
      </Trans>{' '}
      {canDecide && (
        <Button
          kind="quiet"
          aria-label={t`End the waiver of ${title}`}
          onClick={() =>
            void end.run({ id: record.id, answersVersion: record.answersVersion, waived: what as 'Father' })
          }
        >
          <Trans>End</Trans>
        </Button>
      )}
      {end.problem}
    </p>
  );
}
