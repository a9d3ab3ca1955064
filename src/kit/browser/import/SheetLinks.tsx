import { Trans } from '@lingui/react/macro';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { SheetKind } from '#kit/contract/served-file.ts';

interface Props {
  /** What each link downloads, for readers who do not see the words before it. */
  excel: string;
  csv: string;
  onSave: (as: SheetKind) => unknown;
}

/** A file to download for Excel or as CSV. */
export function SheetLinks({ excel, csv, onSave }: Props) {
  return (
    <>
      <Button kind="link" aria-label={excel} onClick={() => void onSave('xlsx')}>
        <Trans>Excel</Trans>
      </Button>{' '}
      <Button kind="link" aria-label={csv} onClick={() => void onSave('csv')}>
        <Trans>CSV</Trans>
      </Button>
    </>
  );
}
