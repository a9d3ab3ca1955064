import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { useWorkingYear } from '#features/calendar/ui/use-working-year.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { type Choice, Combobox } from '#kit/browser/ui/Combobox.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { concessionStudents } from '../contract/concession.ts';
import { type Tried, tryOutApi } from '../contract/discount.ts';

/** What the discount of the form would take off for one real student, each step shown. */
export function TryOut({ discountId }: { discountId?: number }) {
  const { t } = useLingui();
  const { values } = useApiForm();
  const year = useWorkingYear();
  const id = useId();
  const [student, setStudent] = useState<Choice>();
  const [shown, setShown] = useState<Tried>();
  /** Why the discount cannot be computed as it is entered, or for this student. */
  const [reasons, setReasons] = useState<string[]>([]);
  const tryOut = useAction(tryOutApi.tryOut, {
    onRefused: ({ fields = {} }) => setReasons(Object.values(fields).map(translate)),
  });
  const run = async () => {
    setReasons([]);
    const { isActive: _, ...draft } = values;
    const input = { ...draft, studentId: student?.value, yearId: year?.id, discountId: discountId ?? null };
    setShown(await tryOut.run(input as unknown as InputOf<typeof tryOutApi.tryOut>));
  };
  return (
    <Fold line={<Trans>Try it on a student</Trans>} mustOpen={shown !== undefined}>
      <div className="question">
        <label htmlFor={id}>
          <Trans>Student</Trans>
        </label>
        <Combobox
          id={id}
          options={concessionStudents}
          placeholder={t`Name or GR number`}
          chosen={student}
          onChoose={(choice) => {
            setStudent(choice);
            setShown(undefined);
          }}
        />
      </div>
      {reasons.length > 0 ? (
        <ul role="alert" className="error">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      ) : (
        tryOut.problem
      )}
      <Button isBusy={tryOut.isBusy} disabled={!student} onClick={run}>
        <Trans>Compute</Trans>
      </Button>
      <div role="status">{shown && <Result tried={shown} />}</div>
    </Fold>
  );
}

function Result({ tried: { charged, net, takenOff, dues } }: { tried: Tried }) {
  const { t } = useLingui();
  const limits = {
    group: t`another discount of its group is better`,
    maximum: t`its maximum is used up`,
    cap: t`capped`,
  };
  const [all, off, rest] = [charged, takenOff, net].map(showMoney);
  return (
    <>
      <p>
        <Trans>
          This discount takes off {off}. With all discounts the student pays <strong>{rest}</strong> of {all} in the
          year.
        </Trans>
      </p>
      <AmountTable
        caption={<Trans>Each instalment with its discounts</Trans>}
        heads={[t`Due`, t`Charged`, t`Discounts`, t`Pays`]}
        amounts={[t`Charged`, t`Pays`]}
        rows={dues.map((due) => ({
          key: `${due.head} ${due.label} ${due.dueOn}`,
          cells: [
            <div key="due">
              {due.head}, {due.label}
              <div className="soft">{showDate(due.dueOn)}</div>
            </div>,
            <Text as="span" breaks="never" key="charged">
              {showMoney(due.charged)}
            </Text>,
            due.steps.length > 0 && (
              <div key="steps">
                {due.steps.map(({ discount, amount, left, limits: of }) => (
                  <div key={discount}>
                    {discount}:{' '}
                    <Text as="span" breaks="never">
                      {showMoney(-amount)}
                    </Text>{' '}
                    <Text as="span" breaks="never">
                      → {showMoney(left)}
                    </Text>
                    {of.length > 0 && <span className="soft"> ({of.map((limit) => limits[limit]).join(', ')})</span>}
                  </div>
                ))}
              </div>
            ),
            <strong key="net">{showMoney(due.net)}</strong>,
          ],
        }))}
      />
    </>
  );
}
