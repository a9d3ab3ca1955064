import { Trans, useLingui } from '@lingui/react/macro';
import { IconCheck, IconFileText } from '@tabler/icons-react';
import { type ComponentProps, lazy, Suspense, useEffect, useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { text } from '#kit/contract/text.ts';
import { type ReviewedDocument, type ReviewRecord, reviewApi } from '../../contract/review.ts';
import type { FileViewer } from '../FileViewer.tsx';
import { AskBox } from './AskBox.tsx';
import { type DecideProps, DocumentStatus, type ShownFile, titleOf } from './deciding.tsx';
import styles from './ReviewPage.module.css';
import { useDocumentSentences } from './ready.tsx';

const LoadedViewer = lazy(async () => ({ default: (await import('../FileViewer.tsx')).FileViewer }));

/** The viewer, and until it is loaded what can be done with the file. */
const Viewer = (props: ComponentProps<typeof FileViewer>) => (
  <Suspense fallback={props.acts}>
    <LoadedViewer {...props} />
  </Suspense>
);

interface Props extends DecideProps {
  shown: ShownFile | undefined;
  /** On a narrow screen the panel lies over the answers. */
  isOpen: boolean;
  onClose: () => void;
}

/** The documents of the form with their verdicts, and the one that is shown. */
export function DocumentPanel(props: Props) {
  const { record, shown, isOpen, onShow, onClose } = props;
  const { t } = useLingui();
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    // Only where it lies over the answers does it take the focus.
    const { current } = panel;
    if (isOpen && current && getComputedStyle(current).position === 'fixed') current.focus();
  }, [isOpen]);
  const [first] = record.documents;
  const file = shown ?? (first && ({ kind: 'document', id: first.id } as const));
  const current = file?.kind === 'document' && record.documents.find(({ id }) => id === file.id);
  return (
    <aside
      ref={panel}
      id="documents"
      className={styles.documents}
      data-open={isOpen}
      tabIndex={-1}
      aria-label={t`Documents`}
      onKeyDown={({ key }) => key === 'Escape' && onClose()}
    >
      {record.missing.map((name) => (
        <Missing key={name} record={record} canDecide={props.canDecide} name={name} />
      ))}
      {record.waivers.map(({ what, reason }) => (
        <Waived key={what} record={record} canDecide={props.canDecide} what={what} reason={reason} />
      ))}
      <List className={styles.docs}>
        {record.documents.map((document) => (
          <DocumentRow
            key={document.id}
            document={document}
            isShown={file?.id === document.id}
            onShow={() => onShow({ kind: 'document', id: document.id })}
          />
        ))}
      </List>
      {record.documents.length === 0 && record.missing.length === 0 && (
        <p className="soft">
          <Trans>No documents.</Trans>
        </p>
      )}
      {file?.kind === 'picture' && (
        <Viewer
          title={file.title}
          address={`/api/review/${record.id}/file/${file.id}`}
          acts={
            first && (
              <Button onClick={() => onShow({ kind: 'document', id: first.id })}>
                <Trans>Back to the documents</Trans>
              </Button>
            )
          }
        />
      )}
      {current && (
        <Viewer
          key={current.id}
          title={titleOf(current)}
          address={`/api/review/${record.id}/document/${current.id}/file`}
          acts={<DocumentActs {...props} document={current} />}
        />
      )}
    </aside>
  );
}

interface RowProps {
  document: ReviewedDocument;
  isShown: boolean;
  onShow: () => void;
}

function DocumentRow({ document, isShown, onShow }: RowProps) {
  const title = titleOf(document);
  return (
    <li data-review={`document-${document.id}`} data-shown={isShown} tabIndex={-1} aria-label={title}>
      <Grid
        as="button"
        gap={8}
        align="center"
        type="button"
        className={styles.doc}
        aria-pressed={isShown}
        onClick={onShow}
      >
        <IconFileText size={16} aria-hidden />
        <Text as="span" breaks="ellipsis" className={styles.docName}>
          {title}
        </Text>
        <DocumentStatus document={document} />
      </Grid>
    </li>
  );
}

type ActsProps = DecideProps & { document: ReviewedDocument };

/** The verdict on the document that is shown, below it. */
function DocumentActs({ record, document, canDecide, asked, onAsk, onAsked, onAccept, onUndo }: ActsProps) {
  const { t } = useLingui();
  const sentences = useDocumentSentences();
  const key = `document-${document.id}`;
  const title = titleOf(document);
  const { id, result, remark, isOriginalSeen, decidedBy } = document;
  const shown = { id: record.id, answersVersion: record.answersVersion, document: id };
  if (canDecide && asked?.key === key)
    return (
      <AskBox
        endpoint={reviewApi.decideDocument}
        title={t`Reject ${title}`}
        label={text`What is wrong with ${{ document: title }}?`}
        hiddenValues={{ ...shown, result: 'Rejected', isOriginalSeen: false }}
        remark={remark}
        sentences={sentences}
        words={<Trans>Reject</Trans>}
        onClose={onAsked}
      />
    );
  return (
    <>
      {remark && (
        <Row
          as="p"
          gap="0 12"
          align="center"
          justify="between"
          wrap
          tone="warn"
          breaks="pre-line"
          className={styles.remark}
        >
          {remark}
        </Row>
      )}
      {decidedBy && (
        <p className="soft">
          {result === 'Rejected' ? <Trans>Rejected by {decidedBy}</Trans> : <Trans>Verified by {decidedBy}</Trans>}
        </p>
      )}
      {canDecide && (
        <Row gap={8} align="center" wrap>
          {result !== 'Verified' && (
            <Button aria-label={t`Verify ${title}`} onClick={() => onAccept(key)}>
              <IconCheck size={16} aria-hidden className={styles.good} />
              <Trans>Verify</Trans>
              <kbd data-key="V" />
            </Button>
          )}
          {result !== null && (
            <Button aria-label={t`Undo the answer on ${title}`} onClick={() => onUndo(key)}>
              <Trans>Undo</Trans>
            </Button>
          )}
          {result !== 'Rejected' && (
            <Button className={styles.reject} aria-label={t`Reject ${title}`} onClick={() => onAsk({ key, field: '' })}>
              <Trans>Reject…</Trans>
            </Button>
          )}
          {result === 'Verified' && !isOriginalSeen && <OriginalSeen shown={shown} title={title} />}
        </Row>
      )}
    </>
  );
}

interface OriginalSeenProps {
  shown: { id: number; answersVersion: number; document: number };
  title: string;
}

function OriginalSeen({ shown, title }: OriginalSeenProps) {
  const { t } = useLingui();
  const decide = useAction(reviewApi.decideDocument);
  const mark = () => decide.run({ ...shown, result: 'Verified', isOriginalSeen: true, remark: '' });
  return (
    <>
      <Button isBusy={decide.isBusy} aria-label={t`Mark original as seen: ${title}`} onClick={() => void mark()}>
        <Trans>Mark original as seen</Trans>
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
