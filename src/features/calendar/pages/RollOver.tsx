import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useSend } from '#kit/browser/data/read.ts';
import { ApiForm, type Values } from '#kit/browser/form/ApiForm.tsx';
import { TicksField } from '#kit/browser/form/choices.tsx';
import { DayField } from '#kit/browser/form/DayField.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { said } from '#kit/browser/text.ts';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import type { MasterRow } from '#kit/contract/master.ts';
import { rollOverApi, rollOverParts } from '../contract/roll-over.ts';

type Plan = OutputOf<typeof rollOverApi.rollOver>;

/** Makes the year behind one, with what it takes over: first what that would do, then it is done. */
export function RollOver({ from, onClose }: { from: MasterRow; onClose: () => void }) {
  const { t } = useLingui();
  const isChanged = useRef(false);
  const [asked, setAsked] = useState<{ values: Values; plan: Plan }>();
  const [typed, setTyped] = useState<Values>(() => yearBehind(from));
  const entered = useRef<Values>(typed);
  return (
    <SideDialog
      title={t`Make a year from ${from.called}`}
      about={t`What is there already stays as it is. Students are promoted apart, in Section Student Mapping.`}
      onClose={onClose}
      isChanged={isChanged}
    >
      {(close) =>
        asked ? (
          <Plan
            {...asked}
            fromId={from.id}
            onBack={() => {
              setTyped(asked.values);
              setAsked(undefined);
            }}
            close={() => {
              isChanged.current = false;
              close();
            }}
          />
        ) : (
          <ApiForm
            endpoint={rollOverApi.rollOver}
            label={t`Make a year from ${from.called}`}
            initial={typed}
            known={{ id: from.id }}
            judge={(values) => {
              entered.current = values;
              return {};
            }}
            onDone={(plan) => setAsked({ plan, values: entered.current })}
            buttons={(isSending, hasChanged) => {
              isChanged.current = hasChanged;
              return <FormButtons isSending={isSending} close={close} words={<Trans>Show what it does</Trans>} />;
            }}
          >
            <TextField name="name" width="short" />
            <DayField name="startsOn" />
            <DayField name="endsOn" />
            <DayField name="ageCutoffOn" />
            <TicksField name="parts" options={rollOverParts} />
          </ApiForm>
        )
      }
    </SideDialog>
  );
}

interface PlanProps {
  fromId: number;
  values: Values;
  plan: Plan;
  onBack: () => void;
  close: () => void;
}

function Plan({ fromId, values, plan: { isNew, parts, left, digest }, onBack, close }: PlanProps) {
  const { t } = useLingui();
  const toast = useToast();
  const rollOver = useSend(rollOverApi.rollOver);
  const { attempt, problem } = useAttempt();
  const words = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone.
  useEffect(() => words.current?.focus(), []);
  const name = String(values.name);
  const doIt = () =>
    attempt(async () => {
      await rollOver({ ...values, id: fromId, expected: digest } as InputOf<typeof rollOverApi.rollOver>);
      close();
      toast({ kind: 'success', title: isNew ? t`${name} is made.` : t`${name} is completed.` });
    });
  return (
    <>
      <p ref={words} tabIndex={-1}>
        {isNew ? (
          <Trans>{name} will be made as a planned year.</Trans>
        ) : (
          <Trans>{name} is there already, with its own days. What it lacks is added.</Trans>
        )}
      </p>
      <table className="versions">
        <thead>
          <tr>
            <td />
            <th scope="col">{t`New`}</th>
            <th scope="col">{t`There already`}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ part, added, there }) => (
            <tr key={part}>
              <th scope="row">{said(part)}</th>
              <td>{added}</td>
              <td>{there}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {left.length > 0 && (
        <details className="left-out">
          <summary>
            <Plural value={left.length} one="# is left out" other="# are left out" />
          </summary>
          <ul>
            {left.map(({ what, why }) => (
              <li key={what}>
                {what}. <span className="soft">{said(why)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {problem}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onBack}>
          <Trans>Back</Trans>
        </button>
        <button type="button" className="button button-main" onClick={doIt}>
          {isNew ? <Trans>Make {name}</Trans> : <Trans>Complete {name}</Trans>}
        </button>
      </div>
    </>
  );
}

/** The days of the year behind one, and a name in the same form. */
function yearBehind({ name, startsOn, endsOn, ageCutoffOn }: MasterRow): Values {
  const later = (day: unknown) => String(Number(String(day).slice(0, 4)) + 1) + String(day).slice(4);
  const [first = '', second = ''] = String(name).split('-');
  const end = String(Number(second) + 1).padStart(second.length, '0');
  return {
    name: `${Number(first) + 1}-${end.slice(-second.length)}`,
    startsOn: later(startsOn),
    endsOn: later(endsOn),
    ageCutoffOn: later(ageCutoffOn),
    parts: rollOverParts.join(','),
  };
}
