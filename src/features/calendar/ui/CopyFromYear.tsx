import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { CopyYearEndpoint } from '../contract/copy-year.ts';
import type { AcademicYear } from '../contract/year.ts';
import { LeftOut } from './LeftOut.tsx';

interface Props {
  endpoint: CopyYearEndpoint;
  from: AcademicYear;
  to: AcademicYear;
  children: (added: number) => ReactNode;
}

/** Copies records from one year to another, after a preview. */
export function CopyFromYear({ endpoint, from, to, children }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(endpoint);
  const { added = 0, alreadyThere = 0, left = [] } = preview.shown?.answer ?? {};
  return (
    <>
      <Button onClick={() => preview.show({ fromYearId: from.id, toYearId: to.id })}>
        <Trans>Copy from {from.name}…</Trans>
      </Button>
      {!preview.shown && preview.problem}
      <PreviewDialog
        preview={preview}
        title={t`Copy from ${from.name}`}
        confirm={<Trans>Copy</Trans>}
        details={<LeftOut left={left} />}
        onApplied={() => toast({ kind: 'success', title: t`Copied from ${from.name}.` })}
      >
        {children(added)}{' '}
        {alreadyThere > 0 && (
          <Plural
            value={alreadyThere}
            one="# existing entry doesn’t change."
            other="# existing entries don’t change."
          />
        )}
      </PreviewDialog>
    </>
  );
}
