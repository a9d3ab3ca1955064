import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Block } from '#features/family/ui/Block.tsx';
import { LaterBlock } from '#features/family/ui/LaterBlock.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { useLanguage, withWords } from '#kit/browser/language.tsx';
import { RichText } from '#kit/browser/rich-text/RichText.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { later } from '#kit/browser/ui/use-loaded.ts';
import { showDay } from '#kit/contract/format.ts';
import { type FamilyNotice, familyNoticeApi } from '../contract/family.ts';
import { categoryBeside } from '../contract/priority.ts';
import styles from './FamilyAnnouncements.module.css';

type Notices = readonly FamilyNotice[];

const block = later(() => withWords(import('./FamilyAsk.tsx')));

const isAsked = (notice: FamilyNotice) => notice.isAsked;
/** The announcements of a child that are not folded. */
const newest = 5;

/** Above the children: the announcements that wait for the guardian's acknowledgement. */
function Top({ value }: { value: Notices }) {
  const asked = value.filter(isAsked);
  if (asked.length === 0) return null;
  return (
    <Block title={<Trans>Needs you</Trans>}>
      {asked.map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
    </Block>
  );
}

/** The other announcements about one child. */
function OfChild({ value, childId }: { value: Notices; childId: number }) {
  const { t } = useLingui();
  const own = value.filter((notice) => notice.children.includes(childId) && !isAsked(notice));
  const count = own.filter(({ isRead }) => !isRead).length;
  return (
    <Block title={<Trans>Announcements</Trans>} aside={count > 0 && t`${count} new`}>
      {own.length === 0 && (
        <p>
          <Trans>No announcements.</Trans>
        </p>
      )}
      {own.slice(0, newest).map((notice) => (
        <One key={notice.id} notice={notice} />
      ))}
      {own.length > newest && (
        <details className={styles.notice}>
          <summary>
            <Trans>Earlier announcements</Trans>
          </summary>
          {own.slice(newest).map((notice) => (
            <One key={notice.id} notice={notice} />
          ))}
        </details>
      )}
    </Block>
  );
}

/** One announcement, folded; it is read once it is unfolded. */
function One({ notice }: { notice: FamilyNotice }) {
  const { t } = useLingui();
  const language = useLanguage();
  const { id, number, title, priority, publishedOn, files, asks } = notice;
  const seen = useAction(familyNoticeApi.seen);
  const [isRead, setRead] = useState(notice.isRead);
  const [wasOpened, setOpened] = useState(false);
  const fileAt = (file: string) => `/api/family/notice/${id}/file/${file}?family=${currentLink('family')}`;
  const unfold = async (isOpen: boolean) => {
    if (isOpen) setOpened(true);
    if (isOpen && !isRead && (await seen.run({ id, number }))) setRead(true);
  };
  return (
    <details className={styles.notice} onToggle={({ currentTarget }) => void unfold(currentTarget.open)}>
      <summary>
        <span className={styles.title}>{title}</span>
        <small>
          {!isRead && (
            <b>
              <Trans>New</Trans>{' '}
            </b>
          )}
          {priority !== 'Normal' && <strong>{translateOption(priority)} </strong>}
          {[categoryBeside(notice), showDay(publishedOn, language)].filter(Boolean).join(' · ')}
          {notice.isEdited && ` · ${t`edited`}`}
          {asks === 'Acknowledgement' && !notice.isAcknowledged && !notice.isAsked && ` · ${t`Not acknowledged`}`}
        </small>
      </summary>
      <RichText blocks={notice.body} />
      {files.map((file) => (
        <p key={file.id}>
          <a href={fileAt(file.id)} target="_blank" rel="noreferrer noopener">
            {file.name}
          </a>
        </p>
      ))}
      {asks !== 'Nothing' && wasOpened && <LaterBlock block={block} given={{ notice }} />}
    </details>
  );
}

export const familyPart = { key: 'announcement', place: 2, Top, OfChild } satisfies FamilyPartView<Notices>;
