import { Trans } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import type { OptionsEndpoint } from '#kit/contract/field.ts';

/** Why a form or an inquiry ends: a choice of the school’s list, and words. */
export const EndReasonFields = ({ options }: { options: OptionsEndpoint }) => (
  <>
    <OptionField name="reasonId" options={options} />
    <TextField name="note" hint={<Trans>Needed for “Other”.</Trans>} />
  </>
);
