import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { LeaveGuard } from '#kit/browser/form/LeaveGuard.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { profileApi } from '../contract/profile.ts';
import { readConfiguration } from '../ui/configuration.ts';

interface Props {
  endpoint: typeof profileApi.saveProfile;
  values: Values & { rowVersion: number };
  title: string;
  /** Shown in the toast below "Saved." */
  successText?: string;
  children: ReactNode;
}

export function SchoolForm({ endpoint, values: { rowVersion, ...values }, title, successText, children }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const [version, setVersion] = useState({ first: rowVersion, now: rowVersion });
  // Somebody else's save restarts the form; one made here leaves the form and its focus as they are.
  if (rowVersion > version.now) setVersion({ first: rowVersion, now: rowVersion });
  return (
    <RecordCard title={title}>
      <ApiForm
        key={version.first}
        endpoint={endpoint}
        initial={Object.fromEntries(Object.entries(values).map(([name, value]) => [name, asTyped(value)]))}
        hiddenValues={{ rowVersion: version.now }}
        label={title}
        onDone={async (saved) => {
          setVersion(({ first }) => ({ first, now: saved.rowVersion }));
          void readConfiguration();
          toast({ kind: 'success', title: t`Saved.`, text: successText });
        }}
        buttons={(isSending, isChanged) => (
          <>
            <LeaveGuard isChanged={isChanged && !isSending} />
            <Button type="submit" kind="main" isBusy={isSending}>
              <Trans>Save</Trans>
            </Button>
          </>
        )}
      >
        {children}
      </ApiForm>
    </RecordCard>
  );
}

/** Boxes hold text. */
const asTyped = (value: unknown) => (typeof value === 'number' ? String(value) : value);
