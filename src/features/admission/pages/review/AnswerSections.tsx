import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconCheck, IconChevronDown, IconCircleCheck, IconFileText, IconPencil } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { provenBy } from '#features/admission-form/contract/document.ts';
import {
  type AnswerGroup,
  type AnswerReader,
  type AnswerRow,
  useChildRows,
  useContactRows,
  useFamilyRows,
  useHealthRows,
  useLanguageRows,
} from '#features/admission-form/ui/answer-rows.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { text } from '#kit/contract/text.ts';
import { inquiryApi } from '../../contract/inquiry.ts';
import { type AnswerSection, type ReviewAnswers, type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { AskBox } from './AskBox.tsx';
import type { DecideProps } from './deciding.tsx';
import styles from './ReviewPage.module.css';
import { useAnswerSentences } from './ready.tsx';

const EditInquiry = lazy(async () => ({ default: (await import('../EditInquiry.tsx')).EditInquiry }));

interface Props extends DecideProps {
  answers: ReviewAnswers;
  /** Called with the answer that has the focus. */
  onCurrent: (field: string) => void;
}

/** The answers of the form by section, each section with its verdict. */
export function AnswerSections({ answers, ...props }: Props) {
  const { t } = useLingui();
  const { record, onShow } = props;
  const { child, family, health, contacts, languages, schools, careers, detailsNotApplicable, locked } = answers;
  const reader: AnswerReader = {
    detailsNotApplicable,
    locked,
    picture: (file, words) => (
      <Button
        kind="link"
        aria-label={t`Show: ${words}`}
        onClick={() => onShow({ kind: 'picture', id: file, title: words })}
      >
        {t`Show`}
      </Button>
    ),
  };
  const childRows = useChildRows(reader);
  const familyRows = useFamilyRows(reader, new Map(careers.map(({ id, name }) => [id, name])));
  const healthRows = useHealthRows(reader, schools);
  const contactRows = useContactRows(reader, family ?? undefined);
  const languageRows = useLanguageRows();
  const groups: Record<AnswerSection, AnswerGroup[]> = {
    Child: child ? childRows(child as never) : [],
    Family: family ? familyRows(family as never) : [],
    Health: health ? healthRows(health as never) : [],
    Contacts: contacts ? contactRows(contacts as never) : [],
    Languages: languages ? languageRows(languages as never) : [],
  };
  const open = record.sections.find(({ result }) => result === null)?.section;
  return record.sections.map((verdict) =>
    verdict.section === 'Documents' ? null : (
      <Section
        key={verdict.section}
        {...props}
        verdict={verdict}
        groups={groups[verdict.section]}
        isFirstOpen={verdict.section === open}
        changed={answers.changed.flatMap(({ section, field }) => (section === verdict.section ? field : []))}
      />
    ),
  );
}

interface SectionProps extends Omit<Props, 'answers'> {
  verdict: ReviewRecord['sections'][number];
  groups: AnswerGroup[];
  /** On a phone the others begin folded. */
  isFirstOpen: boolean;
  changed: readonly string[];
}

function Section(props: SectionProps) {
  const { record, canDecide, asked, onAsk, onAsked, onAccept, onUndo, verdict, groups, changed } = props;
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(props.isFirstOpen);
  const section = verdict.section as AnswerSection;
  const key = `section-${section}`;
  const title = translateOption(section);
  const isAsked = asked?.key === key;
  const remarkOf = (field: string) => verdict.remarks.find((remark) => remark.field === field);
  const boxOf = (field: string, label: string, remark: string): ReactNode =>
    isAsked &&
    asked.field === field && (
      <RemarkBox record={record} section={section} field={field} label={label} remark={remark} onClose={onAsked} />
    );
  const whole = remarkOf('');
  return (
    <section className={styles.section} data-review={key} tabIndex={-1} aria-labelledby={key}>
      <Row gap="4 12" align="center" className={styles.head}>
        <h2 id={key}>{title}</h2>
        <SectionStatus verdict={verdict} />
        <Row as="span" gap={4} align="center" fixed ml="auto">
          {canDecide && (
            <>
              {verdict.result === 'Accepted' && (
                <Button aria-label={t`Undo: ${title} accepted`} onClick={() => onUndo(key)}>
                  <Trans>Undo</Trans>
                </Button>
              )}
              {verdict.result !== 'Accepted' && verdict.remarks.length === 0 && (
                <Button aria-label={t`Accept: ${title}`} onClick={() => onAccept(key)}>
                  <IconCheck size={16} aria-hidden className={styles.good} />
                  <Trans>Accept</Trans>
                  <kbd data-key="A" />
                </Button>
              )}
              <IconButton isSmall label={t`Ask to correct ${title}`} onClick={() => onAsk({ key, field: '' })}>
                <IconPencil size={16} aria-hidden />
              </IconButton>
            </>
          )}
          <IconButton
            className={styles.fold}
            label={isOpen ? t`Hide the answers: ${title}` : t`Show the answers: ${title}`}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronDown size={20} aria-hidden />
          </IconButton>
        </Row>
      </Row>
      {(whole || (isAsked && asked.field === '')) && (
        <div className={styles.wholeAsked}>
          {boxOf('', title, whole?.remark ?? '') || <Remark record={record} remark={whole} canDecide={canDecide} />}
        </div>
      )}
      <div className={styles.rows} data-folded={!isOpen && !isAsked}>
        {section === 'Family' && record.staffParent && <StaffParent parent={record.staffParent} />}
        {groups.length === 0 && (
          <p className="soft">
            <Trans>Not filled in.</Trans>
          </p>
        )}
        {groups.map(({ title: name, rows }) => (
          <div key={name ?? ''}>
            {name && <h3>{name}</h3>}
            <dl>
              {rows.map((row) => {
                const remark = remarkOf(row.name);
                const label = name ? `${name}, ${row.label}` : row.label;
                return (
                  <Answer
                    key={row.name}
                    {...props}
                    row={row}
                    isChanged={changed.includes(row.name)}
                    remark={remark}
                    box={boxOf(row.name, label, remark?.remark ?? '')}
                    onAskRow={() => onAsk({ key, field: row.name })}
                  />
                );
              })}
            </dl>
          </div>
        ))}
      </div>
    </section>
  );
}

function SectionStatus({ verdict: { result, decidedBy, remarks } }: Pick<SectionProps, 'verdict'>) {
  if (result === 'Accepted')
    return (
      <Row as="span" inline gap={6} align="center" className={styles.verdict}>
        <IconCircleCheck size={16} aria-hidden />
        <span>
          <Trans>Accepted</Trans>
        </span>
        <span className={styles.by}>
          <Trans>by {decidedBy}</Trans>
        </span>
      </Row>
    );
  if (result === null)
    return (
      <span className={styles.toCheck}>
        <Status>
          <Trans>To check</Trans>
        </Status>
      </span>
    );
  return (
    <Status kind="warn">
      {remarks.length > 0 ? (
        <Plural value={remarks.length} one="# correction" other="# corrections" />
      ) : (
        <Trans>Needs correction</Trans>
      )}
    </Status>
  );
}

/** A parent who works here, found by the employee number that the family gives. */
const StaffParent = ({ parent: { employeeNumber, staff } }: { parent: NonNullable<ReviewRecord['staffParent']> }) =>
  staff ? (
    <p>
      <Trans>Works here:</Trans>{' '}
      <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(staff.id) }}>
        {staff.name}
      </PageLink>
    </p>
  ) : (
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
      <Trans>No member of staff has the employee number {employeeNumber}.</Trans>
    </Row>
  );

type RemarkOf = ReviewRecord['sections'][number]['remarks'][number];

interface RowProps extends Omit<SectionProps, 'verdict' | 'groups' | 'changed' | 'isFirstOpen'> {
  row: AnswerRow;
  isChanged: boolean;
  remark: RemarkOf | undefined;
  /** The box in which words about it are written. */
  box: ReactNode;
  onAskRow: () => void;
}

function Answer({ row, record, canDecide, isChanged, remark, box, onAskRow, onCurrent, onShow }: RowProps) {
  const { t } = useLingui();
  const { name, label, value, isLocked } = row;
  const proof = record.documents.find((document) => document.name === provenBy.get(name));
  return (
    <Grid
      align="center"
      line="hair-above"
      className={styles.answer}
      data-answer={name}
      data-asked={Boolean(remark || box)}
      tabIndex={-1}
      onFocus={() => onCurrent(name)}
    >
      <dt>
        {label}{' '}
        {isChanged && (
          <Chip kind="warn">
            <Trans>Changed</Trans>
          </Chip>
        )}
      </dt>
      <dd>{name === 'aadharCardNo' ? <Aadhaar id={record.id} masked={value} /> : value}</dd>
      <Row as="dd" gap={4} align="center" className={styles.more}>
        {proof && (
          <Button
            kind="link"
            className={styles.proof}
            tabIndex={-1}
            onClick={() => onShow({ kind: 'document', id: proof.id })}
          >
            <IconFileText size={14} aria-hidden />
            {translateOption(proof.name)}
          </Button>
        )}
        {canDecide && isLocked && <EditLocked id={record.id} child={record.child} label={label} />}
        {canDecide && !isLocked && (
          // By keyboard an answer is reached with the arrow keys; a tab stop at each would be a hundred.
          <IconButton
            isSmall
            data-ask
            className={styles.pencil}
            tabIndex={-1}
            label={t`Ask to correct ${label}`}
            onClick={onAskRow}
          >
            <IconPencil size={16} aria-hidden />
          </IconButton>
        )}
      </Row>
      {(box || remark) && (
        <dd className={styles.below}>{box || <Remark record={record} remark={remark} canDecide={canDecide} />}</dd>
      )}
    </Grid>
  );
}

interface RemarkProps {
  record: ReviewRecord;
  remark: RemarkOf | undefined;
  canDecide: boolean;
}

/** A value of the inquiry, which the family cannot correct: the office changes it there. */
function EditLocked({ id, child, label }: { id: number; child: string; label: string }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton
        isSmall
        className={styles.pencil}
        data-ask
        tabIndex={-1}
        label={t`Change ${label} in the inquiry`}
        onClick={() => setOpen(true)}
      >
        <IconPencil size={16} aria-hidden />
      </IconButton>
      {isOpen && <EditOf id={id} child={child} onClose={() => setOpen(false)} />}
    </>
  );
}

function EditOf({ id, child, onClose }: { id: number; child: string; onClose: () => void }) {
  const { data } = useRead(inquiryApi.read, { id: String(id) });
  if (!data) return null;
  return (
    <Suspense fallback={null}>
      <EditInquiry record={data} child={child} onClose={onClose} />
    </Suspense>
  );
}

/** The office's words about an answer, until they are sent. */
function Remark({ record, remark, canDecide }: RemarkProps) {
  const { t } = useLingui();
  const remove = useAction(reviewApi.removeRemark);
  if (!remark) return null;
  return (
    <Row gap="0 12" align="center" justify="between" wrap tone="warn" breaks="pre-line" className={styles.remark}>
      <span>{remark.remark}</span>
      {canDecide && (
        <Button
          kind="quiet"
          aria-label={t`Remove “${remark.remark}”`}
          onClick={() => void remove.run({ id: record.id, answersVersion: record.answersVersion, remarkId: remark.id })}
        >
          <Trans>Remove</Trans>
        </Button>
      )}
      {remove.problem}
    </Row>
  );
}

interface RemarkBoxProps {
  record: ReviewRecord;
  section: AnswerSection;
  field: string;
  label: string;
  remark: string;
  onClose: () => void;
}

function RemarkBox({ record, section, field, label, remark, onClose }: RemarkBoxProps) {
  const { t } = useLingui();
  const sentencesOf = useAnswerSentences();
  return (
    <AskBox
      endpoint={reviewApi.addRemark}
      title={t`Ask to correct ${label}`}
      label={text`What should the family correct in ${{ answer: label }}?`}
      hiddenValues={{ id: record.id, answersVersion: record.answersVersion, section, field }}
      remark={remark}
      sentences={sentencesOf(field)}
      words={<Trans>Save</Trans>}
      onClose={onClose}
    />
  );
}

/** The masked number, and the whole one after a reason. */
function Aadhaar({ id, masked }: { id: number; masked: ReactNode }) {
  const { t } = useLingui();
  const [whole, setWhole] = useState('');
  return (
    <>
      {whole || masked}{' '}
      {whole ? (
        <Button kind="link" onClick={() => setWhole('')}>
          <Trans>Hide</Trans>
        </Button>
      ) : (
        <FormOpener title={t`Show the whole Aadhaar number`} label={<Trans>Show…</Trans>}>
          {(onClose) => (
            <RecordForm
              title={t`Show the whole Aadhaar number`}
              endpoint={reviewApi.reveal}
              initial={{ reason: '' }}
              hiddenValues={{ id }}
              words={<Trans>Show</Trans>}
              saved={null}
              onDone={({ aadhaar }) => setWhole(aadhaar)}
              onClose={onClose}
            >
              <TextField name="reason" hint={<Trans>The audit log keeps your name and the reason.</Trans>} />
            </RecordForm>
          )}
        </FormOpener>
      )}
    </>
  );
}
