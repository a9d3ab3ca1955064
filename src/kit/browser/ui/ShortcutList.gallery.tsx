import { Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { ShortcutList } from './ShortcutList.tsx';

export const shortcutList: Section = {
  name: 'ShortcutList',
  states: {
    'Of a page': (
      <Opener words="Open the shortcuts of a page">
        {(onClose) => <ShortcutList keys={[[['J'], 'Next tree']]} onClose={onClose} />}
      </Opener>
    ),
  },
};
