import { Trans, useLingui } from '@lingui/react/macro';
import { use, useRef } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TickField } from '#kit/browser/form/choices.tsx';
import { FormButtons } from '#kit/browser/form/FormDialog.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
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
  const toast = useToast();
  const mayShare = use(MayShare);
  const isChanged = useRef(false);
  const own = current?.isOwn ? current : undefined;
  return (
    <SideDialog
      title={t`Save this view`}
      about={t`Keeps the tab, search, filters, order and columns under a name.`}
      isChanged={isChanged}
      onClose={onClose}
    >
      {(close) => (
        <ApiForm
          endpoint={endpoint}
          initial={{ name: own?.name ?? '', isShared: own?.isShared ?? false }}
          hiddenValues={{ address, columns }}
          label={t`Save this view`}
          onDone={({ id }, { name }) => {
            close();
            toast({ kind: 'success', title: t`View “${String(name)}” saved.` });
            onSaved(id);
          }}
          buttons={(isSending, hasChanged) => {
            isChanged.current = hasChanged;
            return <FormButtons isSending={isSending} close={close} words={<Trans>Save</Trans>} />;
          }}
        >
          <TextField name="name" hint={t`Your view of the same name is replaced.`} />
          {mayShare && <TickField name="isShared" />}
        </ApiForm>
      )}
    </SideDialog>
  );
}
