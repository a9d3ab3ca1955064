import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { genders, identityFields } from '#features/student/contract/record.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import {
  type Account,
  accountApi,
  adultFields,
  barredChoices,
  newAdult,
  returningChoices,
} from '../../contract/account.ts';
import styles from './AccountPage.module.css';
import { useKnownWords } from './known-words.tsx';

interface Props {
  account: Account;
}

interface FormProps extends Props {
  /** The chosen joining day, for what depends on it. */
  onJoinsOn: (day: string) => void;
}

/** The choices of an account; Ctrl+Enter shows what is made of them. */
export function AccountForm({ account, onJoinsOn }: FormProps) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(accountApi.create);
  const area = useRef<HTMLDivElement>(null);
  const { id, version, child, adults, returning } = account;
  useEffect(() => {
    const send = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if ((event.target as Element).closest('dialog')) return;
      event.preventDefault();
      area.current?.querySelector('form')?.requestSubmit();
    };
    window.addEventListener('keydown', send);
    return () => window.removeEventListener('keydown', send);
  }, []);
  const undecided = adults.some(({ known, likely }) => !known && likely.length > 0);
  return (
    <div ref={area}>
      <ApiForm
        className={styles.form}
        endpoint={accountApi.create}
        label={t`Create the account of ${child}`}
        initial={{
          joinsOn: account.joinsOn,
          sectionId: '',
          houseId: '',
          gender: account.gender,
          middleName: '',
          udiseUid: account.udiseUid,
          pen: '',
          apaar: '',
          ...Object.fromEntries(Object.keys(adultFields).map((name) => [name, ''])),
          returning: '',
          barred: '',
          restriction: '',
          withoutPlan: false,
        }}
        hiddenValues={{ id, version }}
        onDone={(answer, input) => preview.take(input, answer)}
        buttons={(isSending) => (
          <CardButtons>
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Create the account…</Trans>
            </Button>
          </CardButtons>
        )}
      >
        <JoinsOn onChange={onJoinsOn} />
        {returning && <Returning returning={returning} />}
        <RecordCard title={<Trans>Enrolment</Trans>}>
          <DateField name="joinsOn" hint={t`From ${showDate(account.firstDay)} to ${showDate(account.lastDay)}`} />
          <SelectField
            name="sectionId"
            placeholder={t`Assign later`}
            options={account.sections.map((section) => ({
              value: String(section.id),
              label: section.free > 0 ? t`${section.name}: ${section.free} free` : t`${section.name}: full`,
            }))}
          />
          <SelectField
            name="houseId"
            placeholder={t`No house`}
            options={account.houses.map((house) => ({ value: String(house.id), label: house.name }))}
          />
        </RecordCard>
        <RecordCard title={undecided ? <Trans>Adults: choose who they are</Trans> : <Trans>Adults</Trans>}>
          <Adults account={account} />
        </RecordCard>
        <RecordCard title={<Trans>Identity</Trans>}>
          {account.gender === '' && <SelectField name="gender" options={genders} />}
          <TextField name="middleName" />
          <FieldControls fields={identityFields} />
        </RecordCard>
        {account.plan.reason && (
          <RecordCard title={<Trans>Fees</Trans>}>
            <Notice>{translate(account.plan.reason)}</Notice>
            <TickField name="withoutPlan" />
          </RecordCard>
        )}
      </ApiForm>
      <PreviewDialog
        preview={preview}
        title={t`Create the account of ${child}?`}
        confirm={<Trans>Create</Trans>}
        details={
          <ul className="plan">
            {(preview.shown?.answer.makes ?? []).map((line) => (
              <li key={translate(line)}>{translate(line)}</li>
            ))}
            {(preview.shown?.answer.missing ?? []).map((line) => (
              <li key={translate(line)} className="soft">
                <Trans>Missing: {translate(line)}</Trans>
              </li>
            ))}
          </ul>
        }
        onApplied={({ student }) => {
          const words = [student?.name, t`GR ${student?.grNo ?? ''}`, student?.section].filter(Boolean).join(', ');
          toast({ kind: 'success', title: words });
        }}
      >
        <Trans>This can’t be undone. A child who does not join is marked as leaving.</Trans>
      </PreviewDialog>
    </div>
  );
}

/** Reports the chosen joining day to the page. */
function JoinsOn({ onChange }: { onChange: (day: string) => void }) {
  const { values } = useApiForm();
  const day = String(values.joinsOn ?? '');
  useEffect(() => onChange(day), [day, onChange]);
  return null;
}

function Returning({ returning }: { returning: NonNullable<Account['returning']> }) {
  const { id, name, grNo, leftOn, isSure } = returning;
  return (
    <RecordCard title={leftOn ? <Trans>Was here before</Trans> : <Trans>May be at the school already</Trans>}>
      <p>
        <PageLink to="/school-erp/student/student-list/$studentID" params={{ studentID: String(id) }}>
          {name}
        </PageLink>
        {leftOn ? (
          <Trans>
            , GR {grNo}, left on {showDate(leftOn)}.
          </Trans>
        ) : (
          <Trans>, GR {grNo}. For the same child nothing is created: the application leads to this record.</Trans>
        )}
      </p>
      {isSure ? (
        <p>
          <Trans>The Aadhaar number is the same: the child comes back with the record and the GR number.</Trans>
        </p>
      ) : (
        <SelectField name="returning" options={returningChoices} />
      )}
    </RecordCard>
  );
}

/** The adults of the form: known, new, or for a person to decide about. */
function Adults({ account: { adults, isDivorced, returning } }: Props) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const words = useKnownWords();
  if (returning && (returning.isSure || values.returning === 'The same child'))
    return (
      <p>
        <Trans>The family’s record doesn’t change.</Trans>
      </p>
    );
  return (
    <>
      <Stack as="ul" gap={8}>
        {adults.map(({ part, name, relation, mobile, isFirst, known, likely }) => (
          <Stack py={8} line="above" as="li" gap={4} key={part}>
            <span>
              <strong>{name}</strong> {[translateOption(relation), mobile].filter(Boolean).join(' · ')}
              {isFirst && (
                <span className="soft">
                  {' '}
                  <Trans>called first</Trans>
                </span>
              )}
            </span>
            {known ? (
              <span>
                <Trans>Known: {words(known)}</Trans>
              </span>
            ) : likely.length > 0 ? (
              <SelectField
                name={`${part}Is`}
                options={[
                  ...likely.map((adult) => ({ value: String(adult.id), label: words(adult) })),
                  { value: newAdult, label: t`A new adult` },
                ]}
              />
            ) : (
              <span className="soft">
                <Trans>New</Trans>
              </span>
            )}
          </Stack>
        ))}
      </Stack>
      {isDivorced && (
        <>
          <Notice>
            <Trans>The parents live apart. Read the court’s paper in the form.</Trans>
          </Notice>
          <SelectField name="barred" options={barredChoices} />
          {values.barred !== '' && values.barred !== 'Nobody' && <TextField name="restriction" long />}
        </>
      )}
    </>
  );
}
