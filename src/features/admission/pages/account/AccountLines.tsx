import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, use, useId, useState } from 'react';
import { transportReaders } from '#access/contract/grants.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { genders, identityFields } from '#features/student/contract/record.ts';
import { TickField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { ApiFormContext } from '#kit/browser/form/form-context.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { type Mark, Story, Ticked } from '#kit/browser/ui/Story.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { Account } from '../../contract/account.ts';
import { FamilyFields, FamilyWords, isUndecided } from './FamilyLine.tsx';
import { Returning } from './Returning.tsx';

interface Props {
  account: Account;
}

/** What the account is made of, in six lines; those that need a look are amber. Fields are behind “Change”. */
export function AccountLines({ account }: Props) {
  const { t } = useLingui();
  return (
    <Story label={t`Account of ${account.child}`}>
      <ChildLine account={account} />
      <ClassLine account={account} />
      <FamilyLine account={account} />
      <PapersLine account={account} />
      <FeeLine account={account} />
      <BusLine account={account} />
    </Story>
  );
}

interface LineProps {
  mark: Mark;
  topic: string;
  /** The names of its fields: an error of one opens it. */
  names?: readonly string[];
  /** Something must be chosen, so that its fields are shown at once. */
  isOpen?: boolean;
  /** What stands at the end where there are no fields. */
  act?: ReactNode;
  fields?: ReactNode;
  children: ReactNode;
}

function Line({ mark, topic, names = [], isOpen = false, act, fields, children }: LineProps) {
  const { t } = useLingui();
  const id = useId();
  const form = use(ApiFormContext);
  const [isChosen, setChosen] = useState(isOpen);
  const isShown = isChosen || names.some((name) => form?.errors[name] !== undefined);
  return (
    <Ticked
      isStrong
      mark={mark}
      topic={topic}
      act={
        form && fields ? (
          <Button
            kind="quiet"
            edge="end"
            aria-label={isShown ? t`Hide: ${topic}` : t`Change: ${topic}`}
            aria-expanded={isShown}
            aria-controls={id}
            onClick={() => setChosen(!isShown)}
          >
            {isShown ? <Trans>Hide</Trans> : <Trans>Change</Trans>}
          </Button>
        ) : (
          act
        )
      }
    >
      {children}
      <div id={id}>
        {form && isShown && (
          <Stack gap={12} mt={8} mb={8}>
            {fields}
          </Stack>
        )}
      </div>
    </Ticked>
  );
}

/** What was typed or chosen in the form; the account's own where there is no form. */
function useChosen(name: string, own = '') {
  const form = use(ApiFormContext);
  return form ? String(form.values[name] ?? '') : own;
}

const labelsOfIdentity = Object.fromEntries(Object.entries(identityFields).map(([name, { label }]) => [name, label]));

function ChildLine({ account }: Props) {
  const { t } = useLingui();
  const { gender, birthDate, repeatsName, hasAadhaar, hasHealth, schools, returning } = account;
  const chosen = useChosen('gender', gender);
  const same = useChosen('returning');
  const form = use(ApiFormContext);
  const typed = Object.entries({ middleName: text`Middle name`, ...labelsOfIdentity }).flatMap(([name, label]) => {
    const value = String(form?.values[name] ?? '').trim();
    return value ? [`${translate(label)}: ${value}`] : [];
  });
  const isOpen = gender === '' || repeatsName || (returning !== null && !returning.isSure);
  const isUnclear = chosen === '' || (returning !== null && !returning.isSure && same === '');
  return (
    <Line
      mark={isUnclear ? 'due' : 'done'}
      topic={t`Child`}
      names={['gender', 'middleName', 'hasOneName', 'returning', ...Object.keys(identityFields)]}
      isOpen={isOpen}
      fields={
        <>
          {returning && !returning.isSure && <Returning returning={returning} />}
          {gender === '' && <SelectField name="gender" options={genders} />}
          <TextField name="middleName" />
          {repeatsName && <TickField name="hasOneName" />}
          <FieldControls fields={identityFields} />
        </>
      }
    >
      <p>
        {[chosen && translateOption(chosen), birthDate && t`born ${showDate(birthDate)}`].filter(Boolean).join(', ') ||
          t`Gender missing`}
      </p>
      {returning?.isSure && <Returning returning={returning} />}
      <Soft
        words={[
          ...typed,
          hasAadhaar && t`Aadhaar number copied (confidential)`,
          hasHealth && t`Health copied (confidential)`,
          schools.length > 0 && t`Previous schools: ${schools.join(', ')}`,
        ]}
      />
    </Line>
  );
}

function ClassLine({ account }: Props) {
  const { t } = useLingui();
  const { grade, program, branch, quota, firstDay, lastDay, sections, houses } = account;
  const joinsOn = useChosen('joinsOn', account.joinsOn);
  const sectionId = useChosen('sectionId');
  const houseId = useChosen('houseId');
  const section = sections.find(({ id }) => String(id) === sectionId)?.name;
  const house = houses.find(({ id }) => String(id) === houseId)?.name;
  return (
    <Line
      mark="done"
      topic={t`Class`}
      names={['joinsOn', 'sectionId', 'houseId']}
      fields={
        <>
          <DateField name="joinsOn" hint={t`From ${showDate(firstDay)} to ${showDate(lastDay)}`} />
          <SelectField
            name="sectionId"
            placeholder={t`Assign later`}
            options={sections.map(({ id, name, free }) => ({
              value: String(id),
              label: free > 0 ? t`${name}: ${free} free` : t`${name}: full`,
            }))}
          />
          <SelectField
            name="houseId"
            placeholder={t`No house`}
            options={houses.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </>
      }
    >
      <p>
        {section ? (
          <Trans>
            {grade}, section {section}
          </Trans>
        ) : (
          <Trans>{grade}, section assigned later</Trans>
        )}
        {joinsOn.length === 10 && <Trans>, joins on {showDate(joinsOn)}</Trans>}
      </p>
      <Soft words={[program, branch, translateOption(quota), house]} />
    </Line>
  );
}

function FamilyLine({ account }: Props) {
  const { t } = useLingui();
  const { adults, isDivorced, siblings } = account;
  const form = use(ApiFormContext);
  const isOpen = isDivorced || isUndecided(account);
  const isDue = isUndecided(account, form?.values) || (isDivorced && !form?.values.barred);
  return (
    <Line
      mark={isDue ? 'due' : 'done'}
      topic={t`Family`}
      names={[...adults.map(({ part }) => `${part}Is`), 'barred', 'restriction']}
      isOpen={isOpen}
      fields={isOpen ? <FamilyFields account={account} /> : undefined}
    >
      <FamilyWords account={account} />
      <Soft words={[siblings.length > 0 && t`Brothers and sisters: ${siblings.join(', ')}`]} />
    </Line>
  );
}

function PapersLine({ account: { id, documents, missing } }: Props) {
  const { t } = useLingui();
  const verified = documents.filter(({ status }) => status === 'Verified').map(({ name }) => translateOption(name));
  const others = documents.filter(({ status }) => status !== 'Verified');
  const amber = [
    ...others.map(({ name, status }) => `${translateOption(name)}: ${translateOption(status)}`),
    ...missing.map((line) => t`Missing: ${translate(line)}`),
  ];
  return (
    <Line
      mark={amber.length > 0 ? 'due' : 'done'}
      topic={t`Documents`}
      act={
        <PageLink to="/school-erp/admission/review-list/$inquiryID" params={{ inquiryID: String(id) }}>
          <Trans>Compare</Trans>
        </PageLink>
      }
    >
      {verified.length > 0 && (
        <p>
          <Trans>{verified.join(', ')} verified</Trans>
        </p>
      )}
      {verified.length + amber.length === 0 && (
        <p>
          <Trans>No papers</Trans>
        </p>
      )}
      {amber.map((line) => (
        <Text tone="warn" key={line}>
          {line}
        </Text>
      ))}
    </Line>
  );
}

function FeeLine({ account: { plan, payment } }: Props) {
  const { t } = useLingui();
  const paid = payment && t`${showRupees(payment.amount)} paid on ${showDate(payment.paidOn)}, ${payment.slipNo}`;
  const [next] = plan.dues;
  const suggested = plan.suggested.map(({ name, takesOff }) => `${name} (${translate(takesOff)})`).join(', ');
  return (
    <Line mark={plan.reason ? 'due' : 'done'} topic={t`Fee plan`}>
      {plan.reason && (
        <Text tone="warn">
          {translate(plan.reason)} <Trans>The account is created without a fee plan; assign one later.</Trans>
        </Text>
      )}
      {!plan.reason && plan.structure !== '' && (
        <p>
          <Trans>
            {showRupees(plan.total)} a year: {plan.structure}
          </Trans>
        </p>
      )}
      <Soft words={[paid, next && t`first due ${showRupees(next.net)} on ${showDate(next.dueOn)}`]} />
      {suggested && (
        <Text tone="soft" size={13}>
          <Trans>
            Suggested: {suggested}. {showRupees(plan.conceded)} once granted by the accountant.
          </Trans>
        </Text>
      )}
    </Line>
  );
}

function BusLine({ account: { wantsTransport } }: Props) {
  const { t } = useLingui();
  const mayOpenTransport = useMay({ access: transportReaders });
  return (
    <Line
      mark="done"
      topic={t`Bus`}
      act={
        wantsTransport &&
        mayOpenTransport && (
          <PageLink to="/school-erp/transport/" search={{ tab: 'rider' }}>
            <Trans>Riders</Trans>
          </PageLink>
        )
      }
    >
      <p>{wantsTransport ? t`Asked for` : t`Not asked for`}</p>
      <Soft
        words={[
          wantsTransport &&
            t`The transport office assigns the stop and the seat under Riders, once the account is created.`,
        ]}
      />
    </Line>
  );
}

function Soft({ words }: { words: readonly (string | false | null | undefined)[] }) {
  const shown = words.filter(Boolean).join(' · ');
  return shown ? (
    <Text tone="soft" size={13}>
      {shown}
    </Text>
  ) : null;
}
