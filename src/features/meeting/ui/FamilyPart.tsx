import { Trans } from '@lingui/react/macro';
import { Block } from '#features/family/ui/Block.tsx';
import { LaterBlock } from '#features/family/ui/LaterBlock.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { withWords } from '#kit/browser/language.tsx';
import { later } from '#kit/browser/ui/use-loaded.ts';
import type { FamilyMeeting } from '../contract/family.ts';

const block = later(() => withWords(import('./FamilyMeeting.tsx')));

/** Above the children: the meetings to come, of all children, since a mother plans one evening. */
const Top = ({ value }: { value: readonly FamilyMeeting[] }) =>
  value.map((meeting) => (
    <Block key={meeting.id} title={<Trans>Meeting with teachers</Trans>}>
      <LaterBlock block={block} given={{ meeting }} />
    </Block>
  ));

export const familyPart = { key: 'meeting', place: 2.5, Top } satisfies FamilyPartView<readonly FamilyMeeting[]>;
