import { Trans } from '@lingui/react/macro';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import type { TableKind } from '#kit/contract/served-file.ts';

interface ItemsProps {
  onExport: (as: TableKind) => void;
}

/** The export formats of the shown rows, in a menu. */
export function ExportItems({ onExport }: ItemsProps) {
  return (
    <>
      <Menu.Item onClick={() => onExport('csv')}>
        <Trans>Export as CSV</Trans>
      </Menu.Item>
      <Menu.Item onClick={() => onExport('xlsx')}>
        <Trans>Export as Excel</Trans>
      </Menu.Item>
      <Menu.Item onClick={() => onExport('pdf')}>
        <Trans>Export as PDF</Trans>
      </Menu.Item>
    </>
  );
}

interface Props extends ItemsProps {
  /** The button's label. */
  words: ReactNode;
}

/** A button that exports the shown rows as a file. */
export function ExportMenu({ words, onExport }: Props) {
  return (
    <Menu
      button={
        <Button>
          {words} <IconChevronDown size={16} aria-hidden />
        </Button>
      }
    >
      <ExportItems onExport={onExport} />
    </Menu>
  );
}
