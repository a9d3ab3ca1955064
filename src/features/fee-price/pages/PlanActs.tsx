import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { type FeePlan, moveFields, optionFields, planApi, withdrawFields } from '../contract/plan.ts';

type Open = 'move' | 'withdraw' | FeePlan['options'][number];

/** The acts on a plan of a user who writes fees. */
export function PlanActs({ plan }: { plan: FeePlan }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>();
  if (!plan.may.change || plan.planId === null) return null;
  const ids = { id: plan.planId, version: plan.version };
  const onClose = () => setOpen(undefined);
  const saved = (_: unknown, { isAsked }: { isAsked: boolean }) => (isAsked ? t`A second person decides.` : t`Saved.`);
  return (
    <>
      {plan.options.map((option) => (
        <Button key={option.feeHeadId} onClick={() => setOpen(option)}>
          {option.isChosen ? t`End ${option.head}…` : t`Add ${option.head}…`}
        </Button>
      ))}
      <Button onClick={() => setOpen('move')}>
        <Trans>Move due day…</Trans>
      </Button>
      <Button onClick={() => setOpen('withdraw')}>
        <Trans>Withdraw…</Trans>
      </Button>
      {open === 'move' && (
        <RecordForm
          title={t`Move due day`}
          endpoint={planApi.moveDueDay}
          initial={emptyValuesOf(moveFields)}
          hiddenValues={ids}
          saved={saved}
          onClose={onClose}
        >
          <FieldControls fields={moveFields} />
        </RecordForm>
      )}
      {open === 'withdraw' && (
        <RecordForm
          title={t`Withdraw the plan`}
          about={t`All charges are reversed, and payments become an advance. A new plan can be made later.`}
          endpoint={planApi.withdraw}
          initial={emptyValuesOf(withdrawFields)}
          hiddenValues={ids}
          saved={saved}
          onClose={onClose}
        >
          <FieldControls fields={withdrawFields} />
        </RecordForm>
      )}
      {typeof open === 'object' && (
        <RecordForm
          title={open.isChosen ? t`End ${open.head}` : t`Add ${open.head}`}
          endpoint={planApi.option}
          initial={emptyValuesOf(optionFields)}
          hiddenValues={{ ...ids, feeHeadId: open.feeHeadId, isChosen: !open.isChosen }}
          saved={saved}
          onClose={onClose}
        >
          <FieldControls fields={optionFields} />
        </RecordForm>
      )}
    </>
  );
}
