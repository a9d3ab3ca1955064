import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';

export const shortcutsDialog: Section = {
  name: 'ShortcutsDialog',
  states: {
    'Of a list that can be added to': (
      <Opener words="Open the shortcuts">{(onClose) => <ShortcutsDialog add="Add tree" onClose={onClose} />}</Opener>
    ),
    'Of a list to read': (
      <Opener words="Open the shortcuts of a list to read">{(onClose) => <ShortcutsDialog onClose={onClose} />}</Opener>
    ),
  },
};
