import { Trans, useLingui } from '@lingui/react/macro';
import { IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import { flushSync } from 'react-dom';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { focusOn } from '#kit/browser/form/ErrorSummary.tsx';
import { TickRow } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showValue } from '#kit/browser/record/show-value.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Stack } from '#kit/browser/ui/Layout.tsx';
import { fieldInfo } from '#kit/contract/fields.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { type FineRule, fineKinds, fineRuleApi, mostSlabs, slabFields } from '../contract/fine-rule.ts';
import styles from './FrequencyFields.module.css';

interface TypedSlab {
  key: string;
  fromDay: string;
  amount: string;
}
const emptySlab = (fromDay = ''): TypedSlab => ({ key: crypto.randomUUID(), fromDay, amount: '' });

const usualTerms = () => ({
  effectiveFrom: '',
  kind: 'Per day',
  amount: '',
  graceDays: '5',
  maxAmount: '',
  slabs: [emptySlab('1')],
});

export function AddFineRule({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Add late fine rule`}
      endpoint={fineRuleApi.create}
      initial={{ name: '', ...usualTerms() }}
      next={{ keeps: [], nameFields: ['name'] }}
      onClose={onClose}
    >
      <TextField name="name" />
      <TermsFields />
    </RecordForm>
  );
}

export function AddTerms({ rule: { id, version, name }, onClose }: { rule: FineRule; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`New terms of ${name}`}
      about={t`Dues before this day keep the previous terms.`}
      endpoint={fineRuleApi.addTerms}
      initial={usualTerms()}
      hiddenValues={{ id, version }}
      saved={(_, { status }) => (status === 'Asked' ? t`A second person decides.` : t`Saved.`)}
      onClose={onClose}
    >
      <TermsFields />
    </RecordForm>
  );
}

export function RenameFineRule({ rule, onClose }: { rule: FineRule; onClose: () => void }) {
  const { t } = useLingui();
  const { id, version, name, isActive } = rule;
  const newerOf = (saved: FineRule, mine: Values): Newer => ({
    values: { name: saved.name, isActive: saved.isActive },
    hiddenValues: { version: saved.version },
    differences: [
      { label: t`Name`, saved: saved.name, mine: String(mine.name) },
      {
        label: translate(isActiveLabel),
        saved: showValue(undefined, saved.isActive),
        mine: showValue(undefined, mine.isActive),
      },
    ].filter(({ saved, mine }) => saved !== mine),
  });
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={fineRuleApi.rename}
      initial={{ name, isActive }}
      hiddenValues={{ id, version }}
      newerOf={({ saved }, mine) => newerOf(saved as FineRule, mine)}
      onClose={onClose}
    >
      <TextField name="name" />
      <TickRow name="isActive" hint={t`Inactive entries can’t be chosen; existing records keep them.`} />
    </RecordForm>
  );
}

/** When a fine begins and what it costs. */
function TermsFields() {
  const { t } = useLingui();
  const { values } = useApiForm();
  const { kind } = values;
  return (
    <>
      <DateField name="effectiveFrom" hint={t`Dues on this day or later have these terms.`} />
      <RadioField name="kind" options={fineKinds} />
      {kind === 'Slab' ? <Slabs /> : <TextField name="amount" width="medium" inputMode="decimal" required />}
      {kind === 'Per day' && (
        <TextField name="maxAmount" width="medium" inputMode="decimal" hint={t`The highest fine of one due day.`} />
      )}
      <TextField name="graceDays" width="short" inputMode="numeric" hint={t`Days after the due day without a fine.`} />
    </>
  );
}

const labelOf = (name: keyof typeof slabFields) => {
  const info = fieldInfo.get(slabFields[name]);
  return info ? translate(info.label) : name;
};

function Slabs() {
  const { t } = useLingui();
  const { values, change, errors } = useApiForm();
  const id = useId();
  const slabs = values.slabs as TypedSlab[];
  const add = () => {
    flushSync(() => change('slabs', [...slabs, emptySlab()]));
    focusOn(`slabs.${slabs.length}.fromDay`);
  };
  const remove = (place: number) => {
    flushSync(() =>
      change(
        'slabs',
        slabs.filter((_, index) => index !== place),
      ),
    );
    focusOn(`slabs.${Math.min(place, slabs.length - 2)}.fromDay`);
  };
  return (
    <fieldset className="question" aria-describedby={errors.slabs && `${id}-error`}>
      <legend>
        <Trans>Slabs</Trans>
      </legend>
      <ErrorText id={`${id}-error`} error={errors.slabs} />
      <Stack as="ol" gap={10} mt={4} mb={10} className={styles.rows}>
        {slabs.map((slab, place) => {
          const number = place + 1;
          return (
            <Grid as="li" gap="4 8" align="end" key={slab.key} line="below" className={styles.row}>
              {(['fromDay', 'amount'] as const).map((name) => {
                const field = `slabs.${place}.${name}`;
                const label = labelOf(name);
                return (
                  <span key={name}>
                    <span aria-hidden>{label}</span>
                    <input
                      className="box"
                      name={field}
                      aria-label={t`Slab ${number}: ${label}`}
                      inputMode="decimal"
                      autoComplete="off"
                      value={slab[name]}
                      aria-invalid={Boolean(errors[field])}
                      aria-describedby={errors[field] && `${id}-${place}-${name}`}
                      onChange={({ currentTarget: { value } }) =>
                        change(
                          'slabs',
                          slabs.map((typed, index) => (index === place ? { ...typed, [name]: value } : typed)),
                          field,
                        )
                      }
                    />
                  </span>
                );
              })}
              {slabs.length > 1 && (
                <Button kind="quiet" aria-label={t`Remove slab ${number}`} onClick={() => remove(place)}>
                  <Trans>Remove</Trans>
                </Button>
              )}
              {(['fromDay', 'amount'] as const).map((name) => (
                <ErrorText key={name} id={`${id}-${place}-${name}`} error={errors[`slabs.${place}.${name}`]} />
              ))}
            </Grid>
          );
        })}
      </Stack>
      {slabs.length < mostSlabs && (
        <Button onClick={add}>
          <IconPlus size={16} aria-hidden /> <Trans>Add slab</Trans>
        </Button>
      )}
    </fieldset>
  );
}
