import { Trans, useLingui } from '@lingui/react/macro';
import { Block } from '#features/family/ui/Block.tsx';
import type { FamilyPartView, TodayProps } from '#features/family/ui/part.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { showDay } from '#kit/contract/format.ts';
import type { FamilyHomework as Item } from '../contract/family.ts';
import styles from './FamilyPart.module.css';

interface Props {
  value: readonly Item[];
  childId: number;
}

const isOpen = ({ status }: Item) => status === 'Pending' || status === 'Missing' || status === 'Incomplete';

/** What a child has to do, the earliest due day first, and below it what became of the homework of the last weeks. */
function OfChild({ value, childId }: Props) {
  const { t } = useLingui();
  const own = value.filter(({ studentId }) => studentId === childId);
  const open = own.filter(isOpen).toReversed();
  const done = own.filter((item) => !isOpen(item));
  const count = open.length;
  return (
    <Block title={<Trans>Homework</Trans>} aside={count > 0 && t`${count} to do`}>
      {open.length === 0 && (
        <p>
          <Trans>Nothing to do.</Trans>
        </p>
      )}
      {open.map((item) => (
        <One key={item.id} item={item} />
      ))}
      {done.length > 0 && (
        <details className={styles.done}>
          <summary>
            <Trans>Earlier homework</Trans>
          </summary>
          {done.map((item) => (
            <One key={item.id} item={item} />
          ))}
        </details>
      )}
    </Block>
  );
}

/** The subjects of what is due by the next school day. */
function Lines({ value, child: { id }, today }: TodayProps<readonly Item[]>) {
  const language = useLanguage();
  const next = value.filter((item) => item.studentId === id && item.isNext && isOpen(item));
  const subjects = [...new Set(next.map(({ subject }) => subject))].join(', ');
  const day = showDay(next.at(-1)?.dueOn ?? '', language, today);
  return subjects ? (
    <p>
      <Trans>
        Homework for {day}: {subjects}
      </Trans>
    </p>
  ) : null;
}

function One({ item }: { item: Item }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { id, subject, title, dueOn, instructions, links, files, marks, maxMarks, feedback, status } = item;
  const words: Readonly<Record<Item['status'], string>> = {
    Submitted: t`Submitted`,
    Late: t`Submitted late`,
    'Not done': t`Not done`,
    Incomplete: t`Incomplete`,
    Excused: t`Excused`,
    Pending: '',
    Missing: t`Missing`,
    'Not checked': '',
  };
  const fileAt = (file: string) => `/api/family/homework/${id}/file/${file}?family=${currentLink('family')}`;
  return (
    <article className={styles.item}>
      <h3>
        {subject}
        {words[status] && <strong data-status={status}>{words[status]}</strong>}
      </h3>
      <p>{title}</p>
      <p className={styles.due}>
        <Trans>Due on {showDay(dueOn, language)}</Trans>
      </p>
      {marks !== null && maxMarks !== null && (
        <p>
          <Trans>
            Marks: {marks} of {maxMarks}
          </Trans>
        </p>
      )}
      {feedback !== '' && (
        <p>
          <Trans>Teacher: {feedback}</Trans>
        </p>
      )}
      {(instructions !== '' || links.length > 0 || files.length > 0) && (
        <details>
          <summary aria-label={t`More about ${title}`}>
            <Trans>More</Trans>
          </summary>
          {instructions !== '' && <p className={styles.text}>{instructions}</p>}
          {links.map((link) => (
            <p key={link}>
              <a href={link} target="_blank" rel="noreferrer noopener">
                {link}
              </a>
            </p>
          ))}
          {files.map((file) => (
            <p key={file.id}>
              <a href={fileAt(file.id)} target="_blank" rel="noreferrer noopener">
                {file.name}
              </a>
            </p>
          ))}
        </details>
      )}
    </article>
  );
}

export const familyPart = { key: 'homework', place: 3, Today: { place: 3, Lines }, OfChild } satisfies FamilyPartView<
  readonly Item[]
>;
