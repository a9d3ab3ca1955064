import { Trans, useLingui } from '@lingui/react/macro';
import { IdsField } from '#features/academic/ui/IdsField.tsx';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { choices } from '#features/student/contract/record.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translate } from '#kit/browser/text.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { typedMoney, typedPercent } from '#kit/contract/money.ts';
import { type Discount, discountApi, eligibilities, headScopes, valueKinds } from '../contract/discount.ts';
import { headMaster } from '../contract/masters.ts';
import { TryOut } from './TryOut.tsx';

const typed = (value: number | null, show: (value: number) => string) => (value === null ? '' : show(value));

const valuesOf = (discount: Discount): Values => {
  const stepOf = (child: number) => discount.steps.find((step) => step.child === child)?.percent ?? null;
  return {
    name: discount.name,
    code: discount.code,
    valueKind: discount.valueKind,
    percent: typed(discount.percent, typedPercent),
    amount: typed(discount.amount, typedMoney),
    heads: discount.heads.length > 0 ? 'Some heads' : 'All heads with concessions',
    headIds: discount.heads.map(({ id }) => id),
    eligibility: discount.eligibility,
    categoryIds: discount.categories.map(({ id }) => id),
    thirdPercent: typed(stepOf(3), typedPercent),
    fourthPercent: typed(stepOf(4), typedPercent),
    stackGroup: discount.stackGroup,
    priority: String(discount.priority),
    maxAmount: typed(discount.maxAmount, typedMoney),
    needsApproval: discount.needsApproval,
    approvalAbove: typed(discount.approvalAbove, typedPercent),
    academicYearId: discount.academicYearId ?? '',
    isActive: discount.isActive,
  };
};

const empty: Values = {
  name: '',
  code: '',
  valueKind: 'Percent',
  percent: '',
  amount: '',
  heads: 'All heads with concessions',
  headIds: [],
  eligibility: 'Any student',
  categoryIds: [],
  thirdPercent: '',
  fourthPercent: '',
  stackGroup: '',
  priority: '50',
  maxAmount: '',
  needsApproval: true,
  approvalAbove: '',
  academicYearId: '',
};

interface AddProps {
  /** The discount that the new one starts with. */
  like?: Discount;
  onClose: () => void;
}

export function AddDiscount({ like, onClose }: AddProps) {
  const { t } = useLingui();
  const asked = useAskedWords();
  return (
    <RecordForm
      title={like ? t`Duplicate ${like.name}` : t`Add discount`}
      endpoint={discountApi.create}
      initial={like ? { ...valuesOf(like), name: '', code: '' } : empty}
      next={{ keeps: [], nameFields: ['name'] }}
      saved={(values, { status }) => (status === 'Asked' ? asked : t`${String(values.name)} was added.`)}
      onClose={onClose}
    >
      <DiscountFields />
      <TryOut />
    </RecordForm>
  );
}

export function EditDiscount({ discount, onClose }: { discount: Discount; onClose: () => void }) {
  const { t } = useLingui();
  const asked = useAskedWords();
  const { id, version, name } = discount;
  const newerOf = (saved: Discount, mine: Values): Newer => {
    const values = valuesOf(saved);
    const labels: Record<string, string> = {
      name: t`Name`,
      code: t`Code`,
      percent: t`Percentage (%)`,
      amount: t`Amount a year (₹)`,
      priority: t`Priority`,
      maxAmount: t`At most a year (₹)`,
    };
    const differences = Object.entries(labels).map(([field, label]) => ({
      label,
      saved: String(values[field]),
      mine: String(mine[field]),
    }));
    return {
      values,
      hiddenValues: { version: saved.version },
      differences: [
        ...differences,
        {
          label: translate(isActiveLabel),
          saved: showValue(undefined, saved.isActive),
          mine: showValue(undefined, mine.isActive),
        },
      ].filter(({ saved, mine }) => saved !== mine),
    };
  };
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={discountApi.update}
      initial={valuesOf(discount)}
      hiddenValues={{ id, version }}
      saved={(_, { status }) => (status === 'Asked' ? asked : t`Saved.`)}
      newerOf={({ saved }, mine) => newerOf(saved as Discount, mine)}
      onClose={onClose}
    >
      <DiscountFields />
      <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
      <TryOut discountId={id} />
    </RecordForm>
  );
}

function useAskedWords() {
  const { t } = useLingui();
  return t`Asked. It applies once a second person has approved it.`;
}

function DiscountFields() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const { data: heads = [] } = useRead(headMaster.api.options, {});
  const { data: categories = [] } = useRead(choices.category.options, {});
  const { valueKind, eligibility } = values;
  const isFixed = valueKind === 'Fixed amount';
  const isSibling = eligibility === 'Siblings';
  return (
    <>
      <TextField name="name" />
      <TextField name="code" width="short" />
      <SelectField
        name="eligibility"
        options={eligibilities}
        width="medium"
        hint={t`Siblings, staff children, RTE and categories are suggested automatically.`}
        onChange={(kind) => kind === 'Siblings' && change('valueKind', 'Percent')}
      />
      {eligibility === 'Student category' && (
        <IdsField name="categoryIds" legend={t`Student categories`} options={categories} />
      )}
      <RadioField
        name="valueKind"
        options={valueKinds}
        onChange={(kind) => kind === 'Fixed amount' && change('heads', 'Some heads')}
      />
      {valueKind === 'Percent' && (
        <TextField
          name="percent"
          width="short"
          inputMode="decimal"
          required
          hint={isSibling ? t`Of the second child.` : t`Taken from the amount after earlier discounts.`}
        />
      )}
      {isSibling && (
        <>
          <TextField name="thirdPercent" width="short" inputMode="decimal" />
          <TextField name="fourthPercent" width="short" inputMode="decimal" />
        </>
      )}
      {isFixed && (
        <TextField
          name="amount"
          width="medium"
          inputMode="decimal"
          required
          hint={t`Spread over the months of one fee head.`}
        />
      )}
      {!isFixed && <RadioField name="heads" options={headScopes} />}
      {(isFixed || values.heads === 'Some heads') && (
        <IdsField name="headIds" legend={isFixed ? t`Fee head` : t`Fee heads`} options={heads} />
      )}
      <TextField name="maxAmount" width="medium" inputMode="decimal" />
      <TickRow name="needsApproval" hint={t`A finance approver or the principal decides, never the person who asks.`} />
      {!values.needsApproval && <TextField name="approvalAbove" width="short" inputMode="decimal" />}
      <Fold
        line={<Trans>Several discounts at once</Trans>}
        mustOpen={Boolean(errors.stackGroup || errors.priority || errors.academicYearId)}
      >
        <TextField name="stackGroup" width="short" hint={t`Only the best discount of a group counts.`} />
        <TextField name="priority" width="short" inputMode="numeric" hint={t`The lowest number is taken off first.`} />
        <OptionField name="academicYearId" options={yearMaster.api.options} />
      </Fold>
    </>
  );
}
