import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf, pick } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import {
  correctionApi,
  correctionFields,
  correctionList,
  correctionParts,
  payRefundFields,
  refundApi,
  refundFields,
  refundList,
} from '../contract/correction.ts';

const kinds: Record<string, ChipKind> = {
  Requested: 'info',
  Approved: 'accent',
  Done: 'good',
  Paid: 'good',
  Rejected: 'bad',
  Withdrawn: 'plain',
};
const statusOf = ({ status }: { status: string }) => (
  <Status kind={kinds[status] ?? 'plain'}>{translateOption(status)}</Status>
);

/** Debits, credits, write-offs, waivers and transfers of advance. */
export function Corrections() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(correctionApi.correct) ? () => setAdding(true) : undefined;
  return (
    <>
      <RecordList
        list={correctionList}
        open={() => undefined}
        cells={{ status: statusOf, kind: ({ kind }) => translateOption(kind) }}
        onAdd={add}
        empty={{
          message: <Trans>Nothing was corrected yet.</Trans>,
          children: add && <Button onClick={add}>{t`Add correction`}</Button>,
        }}
      />
      {isAdding && <AddCorrection onClose={() => setAdding(false)} />}
    </>
  );
}

function AddCorrection({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add correction`}
      about={t`A debit is charged at once. A second person decides on everything else.`}
      endpoint={correctionApi.correct}
      initial={{ ...emptyValuesOf({ ...correctionFields, ...correctionParts }), kind: 'Debit' }}
      onClose={onClose}
    >
      <FieldControls fields={correctionFields} />
      <Parts />
    </RecordForm>
  );
}

/** What a correction of the chosen kind needs. */
function Parts() {
  const { values } = useApiForm();
  const studentId = Number(values.studentId) || 0;
  const kind = String(values.kind);
  return (
    <>
      {kind === 'Debit' && (
        <>
          <OptionField name="feeHeadId" options={correctionParts.feeHeadId.to.options} required />
          <DateField name="dueOn" required />
        </>
      )}
      {kind === 'Transfer' && (
        <>
          <OptionField name="fromSeriesId" options={correctionParts.fromSeriesId.to.options} required />
          <OptionField name="toSeriesId" options={correctionParts.toSeriesId.to.options} required />
        </>
      )}
      {kind !== 'Debit' && kind !== 'Transfer' && studentId > 0 && <DueChoice studentId={studentId} kind={kind} />}
      <FieldControls fields={pick(correctionParts, 'amount', 'reason')} />
    </>
  );
}

function DueChoice({ studentId, kind }: { studentId: number; kind: string }) {
  const { t } = useLingui();
  const { values, errors, change } = useApiForm();
  const read = useRead(correctionApi.open, { studentId });
  const dues = read.data?.dues.filter((due) => kind !== 'Waiver' || due.kind === 'Fine') ?? [];
  return (
    <div className="question">
      <label htmlFor="dueId">
        <Trans>About</Trans>
      </label>
      <select
        id="dueId"
        className="box"
        aria-describedby="dueId-error"
        value={String(values.dueId ?? '')}
        onChange={(event) => change('dueId', event.currentTarget.value)}
      >
        <option value="">{t`Choose`}</option>
        {dues.map(({ id, name, dueOn, net, paid }) => (
          <option key={id} value={String(id)}>
            {[name, showDate(dueOn), t`${showMoney(net)}, paid ${showMoney(paid)}`].join(' · ')}
          </option>
        ))}
      </select>
      <ErrorText id="dueId-error" error={errors.dueId} />
    </div>
  );
}

/** Advance that is paid back. */
export function Refunds() {
  const { t } = useLingui();
  const [isAdding, setAdding] = useState(false);
  const [paying, setPaying] = useState<RowOf<typeof refundList>>();
  const add = useMay(refundApi.ask) ? () => setAdding(true) : undefined;
  return (
    <>
      <RecordList
        list={refundList}
        open={() => undefined}
        cells={{ status: statusOf, mode: ({ mode }) => translateOption(mode) }}
        onAdd={add}
        actions={(row, from) =>
          row.may.pay && (
            <Menu.Item onClick={from(() => setPaying(row))}>
              <Trans>Paid…</Trans>
            </Menu.Item>
          )
        }
        empty={{
          message: <Trans>No advance was paid back yet.</Trans>,
          children: add && <Button onClick={add}>{t`Ask for a refund`}</Button>,
        }}
      />
      {isAdding && (
        <RecordForm
          title={t`Ask for a refund`}
          about={t`Advance is paid back by cheque or transfer, after a second person has approved it.`}
          endpoint={refundApi.ask}
          initial={{ ...emptyValuesOf(refundFields), mode: 'Cheque' }}
          words={t`Ask`}
          saved={t`Refund requested.`}
          onClose={() => setAdding(false)}
        >
          <FieldControls fields={refundFields} />
        </RecordForm>
      )}
      {paying && (
        <RecordForm
          title={t`Refund paid`}
          about={t`${showMoney(paying.amount ?? 0)} to ${paying.payee}`}
          endpoint={refundApi.pay}
          initial={emptyValuesOf(payRefundFields)}
          hiddenValues={{ id: paying.id, version: paying.version }}
          saved={t`Refund paid.`}
          of={paying.student}
          onClose={() => setPaying(undefined)}
        >
          <FieldControls fields={payRefundFields} />
        </RecordForm>
      )}
    </>
  );
}
