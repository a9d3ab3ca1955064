import { Trans } from '@lingui/react/macro';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { Fold } from '#kit/browser/form/Fold.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { translateOption } from '#kit/browser/text.ts';
import type { Fields } from '#kit/contract/field.ts';

interface Props {
  fields: Fields;
  language: string;
}

/** Names as the register writes them in the school's language: folded while there are none. */
export function LocalNames({ fields, language }: Props) {
  const { values, errors } = useApiForm();
  const names = Object.keys(fields);
  const shown = translateOption(language);
  const mustOpen = names.some((name) => Boolean(errors[name]) || Boolean(values[name]));
  return (
    <Fold line={<Trans>Names in {shown}</Trans>} mustOpen={mustOpen}>
      <FieldControls fields={fields} />
    </Fold>
  );
}
