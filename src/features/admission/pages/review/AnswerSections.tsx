import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
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
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons, FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { type AnswerSection, type ReviewAnswers, type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { type DecideProps, VerdictChip } from './deciding.tsx';
import styles from './ReviewPage.module.css';

/** The answers of the form by section, each section with its verdict. */
export function AnswerSections(props: DecideProps) {
  const answers = useRead(reviewApi.answers, {
    id: String(props.record.id),
    answersVersion: String(props.record.answersVersion),
  });
  return <QueryBoundary query={answers}>{(found) => <Sections {...props} answers={found} />}</QueryBoundary>;
}

function Sections({ answers, ...props }: DecideProps & { answers: ReviewAnswers }) {
  const { record, onShow } = props;
  const { child, family, health, contacts, languages, schools, careers, detailsNotApplicable, locked } = answers;
  const reader: AnswerReader = {
    detailsNotApplicable,
    locked,
    picture: (file, words) => (
      <Button kind="quiet" onClick={() => onShow({ kind: 'picture', id: file, title: words })}>
        <img className="thumb" src={`/api/review/${record.id}/file/${file}`} alt={words} loading="lazy" />
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
  return record.sections.map((verdict) =>
    verdict.section === 'Documents' ? null : (
      <SectionCard
        key={verdict.section}
        {...props}
        verdict={verdict}
        groups={groups[verdict.section]}
        changed={answers.changed.flatMap(({ section, field }) => (section === verdict.section ? field : []))}
      />
    ),
  );
}

interface CardProps extends DecideProps {
  verdict: ReviewRecord['sections'][number];
  groups: AnswerGroup[];
  changed: readonly string[];
}

function SectionCard(props: CardProps) {
  const { record, canDecide, asked, onAsk, onAccept, onDecided, verdict, groups, changed } = props;
  const { t } = useLingui();
  const section = verdict.section as AnswerSection;
  const key = `section-${section}`;
  const title = translateOption(section);
  const remarkOf = (field: string) => verdict.remarks.find((remark) => remark.field === field);
  const rows = groups.flatMap(({ title: owner, rows }) =>
    rows
      .filter(({ isLocked }) => !isLocked)
      .map(({ name, label }) => ({ name, label: owner ? `${owner}, ${label}` : label })),
  );
  return (
    <section className={`sheet ${styles.section}`} data-review={key} tabIndex={-1} aria-labelledby={key}>
      <div className={styles.head}>
        <h2 id={key}>{title}</h2>
        <VerdictChip result={verdict.result} by={verdict.decidedBy} />
        {canDecide && (
          <span className={styles.buttons}>
            <AcceptButton {...props} section={section} title={title} onAccept={() => onAccept(key)} />
            <Button
              kind="quiet"
              aria-label={t`Ask for a correction: ${title}`}
              onClick={() => onAsk({ key, field: '' })}
            >
              <Trans>Ask for a correction…</Trans>
            </Button>
          </span>
        )}
      </div>
      <Remarks record={record} remark={remarkOf('')} canDecide={canDecide} />
      {section === 'Family' && record.staffParent && <StaffParent parent={record.staffParent} />}
      {groups.length === 0 && (
        <p className="soft">
          <Trans>Not filled in.</Trans>
        </p>
      )}
      {groups.map(({ title: name, rows }) => (
        <div key={name ?? ''}>
          {name && <h3>{name}</h3>}
          <dl className={styles.rows}>
            {rows.map((row) => (
              <Row
                key={row.name}
                row={row}
                record={record}
                canDecide={canDecide}
                isChanged={changed.includes(row.name)}
                remark={remarkOf(row.name)}
                onAsk={() => onAsk({ key, field: row.name })}
              />
            ))}
          </dl>
        </div>
      ))}
      {asked?.key === key && (
        <SideDialog title={t`Ask for a correction: ${title}`} onClose={() => onAsk(undefined)}>
          {(close) => (
            <RemarkForm
              id={record.id}
              answersVersion={record.answersVersion}
              section={section}
              field={asked.field}
              remarks={verdict.remarks}
              rows={rows}
              close={close}
              onDone={() => onDecided(key)}
            />
          )}
        </SideDialog>
      )}
    </section>
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
    <p className={styles.remark}>
      <Trans>No member of staff has the employee number {employeeNumber}.</Trans>
    </p>
  );

interface AcceptProps extends Pick<CardProps, 'record' | 'verdict' | 'onDecided'> {
  section: AnswerSection;
  title: string;
  onAccept: () => Promise<unknown>;
}

function AcceptButton({ record, verdict, section, title, onAccept, onDecided }: AcceptProps) {
  const { t } = useLingui();
  const accept = useAction(reviewApi.acceptSection);
  if (verdict.result === 'Accepted') return null;
  const absences = section === 'Family' ? record.absences : [];
  const words = absences
    .map(({ parent, reason }) => `${translateOption(parent)}: ${translateOption(reason)}`)
    .join('; ');
  const name = t`Accept: ${title}`;
  if (absences.length === 0)
    return (
      <Button kind="quiet" aria-label={name} onClick={() => void onAccept()}>
        <Trans>Accept</Trans>
      </Button>
    );
  return (
    <span data-confirm-absence>
      <ConfirmButton
        name={name}
        label={<Trans>Accept…</Trans>}
        question={<Trans>The family can’t name a parent ({words}). Do you confirm this?</Trans>}
        confirm={<Trans>Confirm and accept</Trans>}
        onConfirm={async () => {
          if (
            await accept.run({ id: record.id, answersVersion: record.answersVersion, section, confirmsAbsence: true })
          )
            onDecided(`section-${section}`);
        }}
      />
      {accept.problem}
    </span>
  );
}

interface RowProps {
  row: AnswerRow;
  record: ReviewRecord;
  canDecide: boolean;
  isChanged: boolean;
  remark: ReviewRecord['sections'][number]['remarks'][number] | undefined;
  onAsk: () => void;
}

function Row({ row: { name, label, value, isLocked }, record, canDecide, isChanged, remark, onAsk }: RowProps) {
  const { t } = useLingui();
  return (
    <div>
      <dt>
        {label}{' '}
        {isChanged && (
          <Chip kind="warn">
            <Trans>Changed</Trans>
          </Chip>
        )}
      </dt>
      <dd>
        {name === 'aadharCardNo' ? <Aadhaar id={record.id} masked={value} /> : value}
        <Remarks record={record} remark={remark} canDecide={canDecide} />
      </dd>
      <dd>
        {canDecide && !isLocked && (
          // By keyboard the section's own button leads to every answer; a tab stop at each would be a hundred.
          <Button
            kind="quiet"
            edge="end"
            className={styles.ask}
            tabIndex={-1}
            aria-label={t`Ask about ${label}`}
            onClick={onAsk}
          >
            <Trans>Ask</Trans>
          </Button>
        )}
      </dd>
    </div>
  );
}

/** The office's words about an answer, until they are sent. */
function Remarks({ record, remark, canDecide }: Pick<RowProps, 'record' | 'remark' | 'canDecide'>) {
  const { t } = useLingui();
  const remove = useAction(reviewApi.removeRemark);
  if (!remark) return null;
  return (
    <p className={styles.remark}>
      {remark.remark}{' '}
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
    </p>
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
        <Button kind="quiet" onClick={() => setWhole('')}>
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

interface RemarkFormProps {
  id: number;
  answersVersion: number;
  section: AnswerSection;
  field: string;
  remarks: ReviewRecord['sections'][number]['remarks'];
  rows: { name: string; label: string }[];
  close: () => void;
  onDone: () => void;
}

function RemarkForm({ id, answersVersion, section, field, remarks, rows, close, onDone }: RemarkFormProps) {
  const { t } = useLingui();
  return (
    <ApiForm
      endpoint={reviewApi.addRemark}
      label={t`Ask for a correction`}
      initial={{ field, remark: remarks.find((remark) => remark.field === field)?.remark ?? '' }}
      hiddenValues={{ id, answersVersion, section }}
      onDone={() => {
        close();
        onDone();
      }}
      buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />}
    >
      <SelectField
        name="field"
        required
        placeholder={t`The whole section`}
        options={rows.map(({ name, label }) => ({ value: name, label }))}
      />
      <TextField name="remark" long takesFocus hint={<Trans>The family reads these words beside the answer.</Trans>} />
    </ApiForm>
  );
}
