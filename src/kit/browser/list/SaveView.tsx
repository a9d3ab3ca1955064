import { useLingui } from '@lingui/react/macro';
import { use } from 'react';
import { TickField } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import type { ListView } from '#kit/contract/list-view.ts';
import type { RecordListDefinition } from '#kit/contract/record-list.ts';
import { MayShare } from './may-share.ts';

interface Props {
  endpoint: RecordListDefinition['api']['saveView'];
  /** The view that is shown, whose name is kept unless the user changes it. */
  current: ListView | undefined;
  /** What is saved. */
  address: Record<string, string>;
  columns: readonly string[];
  onSaved: (id: number) => void;
  onClose: () => void;
}

/** Saves the filters, order and columns of a list under a name. */
export function SaveView({ endpoint, current, address, columns, onSaved, onClose }: Props) {
  const { t } = useLingui();
  const mayShare = use(MayShare);
  const own = current?.isOwn ? current : undefined;
  return (
    <RecordForm
      title={t`Save this view`}
      about={t`Keeps the tab, search, filters, order and columns under a name.`}
      endpoint={endpoint}
      initial={{ name: own?.name ?? '', isShared: own?.isShared ?? false }}
      hiddenValues={{ address, columns }}
      saved={({ name }) => t`View “${String(name)}” saved.`}
      onDone={({ id }) => onSaved(id)}
      onClose={onClose}
    >
      <TextField name="name" hint={t`Your view of the same name is replaced.`} />
      {mayShare && <TickField name="isShared" />}
    </RecordForm>
  );
}
