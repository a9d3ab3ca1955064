import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Block } from '#features/family/ui/Block.tsx';
import { LaterBlock } from '#features/family/ui/LaterBlock.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { useLanguage, withWords } from '#kit/browser/language.tsx';
import { later } from '#kit/browser/ui/use-loaded.ts';
import { showDay } from '#kit/contract/format.ts';
import type { FamilyMeeting } from '../contract/family.ts';

import styles from './FamilyMeetings.module.css';

const block = later(() => withWords(import('./FamilyMeeting.tsx')));

/** Above the children: the meetings to come, of all children, since a mother plans one evening. */
const Top = ({ value }: { value: readonly FamilyMeeting[] }) =>
  value.length > 0 && (
    <Block title={<Trans>Meeting with teachers</Trans>}>
      {value.map((meeting) => (
        <One key={meeting.id} meeting={meeting} />
      ))}
    </Block>
  );

/** One meeting, folded, with the times that are booked. */
function One({ meeting }: { meeting: FamilyMeeting }) {
  const { t } = useLingui();
  const language = useLanguage();
  const [wasOpened, setOpened] = useState(false);
  const times = meeting.teachers.flatMap(({ booked }) => booked?.from ?? []).toSorted();
  const until = showDay(meeting.booksUntil, language);
  const todo = meeting.mayBook ? t`Book your times until ${until}` : '';
  return (
    <details className={styles.meeting} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
      <summary>
        {meeting.name}, {showDay(meeting.day, language)}
        <br />
        <small>{times.length > 0 ? times.join(' · ') : todo}</small>
      </summary>
      {wasOpened && <LaterBlock block={block} given={{ meeting }} />}
    </details>
  );
}

export const familyPart = { key: 'meeting', place: 2.5, Top } satisfies FamilyPartView<readonly FamilyMeeting[]>;
