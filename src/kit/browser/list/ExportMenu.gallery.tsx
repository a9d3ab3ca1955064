import type { Section } from '#kit/browser/gallery/section.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { ExportItems, ExportMenu } from './ExportMenu.tsx';

const nothing = () => undefined;

export const exportMenu: Section = {
  name: 'ExportMenu',
  states: { 'A button of a list': <ExportMenu words="Export" onExport={nothing} /> },
};

export const exportItems: Section = {
  name: 'ExportItems',
  states: {
    'In another menu': (
      <Menu button={<Button>More</Button>}>
        <Menu.Item>Import</Menu.Item>
        <ExportItems onExport={nothing} />
      </Menu>
    ),
  },
};
