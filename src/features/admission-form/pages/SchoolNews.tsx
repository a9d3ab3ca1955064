import { Trans } from '@lingui/react/macro';
import { Suspense, useEffect, useState } from 'react';
import { get } from '#kit/browser/data/get.ts';
import { currentLink } from '#kit/browser/data/link.ts';
import { ButtonAnchor } from '#kit/browser/ui/Button.tsx';
import { showMoment, showReaderDay } from '#kit/browser/ui/show.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type News, newsApi } from '../contract/news.ts';
import { lazyPart } from './lazy-part.ts';
import styles from './SchoolNews.module.css';

// Few families have times to choose from.
const ChooseTime = lazyPart(async () => (await import('./ChooseTime.tsx')).ChooseTime);

/** What the school has published: meetings, times to choose from, and the letter of its decision. Without news, or without an answer, nothing. */
export function SchoolNews({ onChosen }: { onChosen: () => void }) {
  const [news, setNews] = useState<News>();
  // The page says everything else without it.
  const read = () => get(newsApi.read, {}).then(setNews, () => undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read once.
  useEffect(() => void read(), []);
  if (!news || (news.meetings.length === 0 && !news.letter && !news.choice)) return null;
  const { meetings, letter, replyBy, due, choice } = news;
  return (
    <section className="section">
      <h2>
        <Trans>News from the school</Trans>
      </h2>
      {meetings.map(({ startsAt, place }) => (
        <p key={startsAt}>
          <Trans>
            Meeting on <strong>{showMoment(startsAt)}</strong>: {place}
          </Trans>
        </p>
      ))}
      {choice && (
        <Suspense>
          <ChooseTime
            {...choice}
            onChosen={() => {
              onChosen();
              return read();
            }}
          />
        </Suspense>
      )}
      {replyBy && (
        <p>
          {due > 0 ? (
            <Trans>
              Pay the admission fee of <strong>{showMoney(due)}</strong> by <strong>{showReaderDay(replyBy)}</strong> to
              confirm the place.
            </Trans>
          ) : (
            <Trans>
              Tell the school by <strong>{showReaderDay(replyBy)}</strong> that you accept the place.
            </Trans>
          )}
        </p>
      )}
      {letter && (
        <>
          <div className={styles.letter}>
            <p>
              <strong>{letter.subject}</strong>
            </p>
            <p>{letter.body}</p>
            <p className="soft">{showReaderDay(letter.on)}</p>
          </div>
          <p>
            <ButtonAnchor href={`/api${newsApi.letter.path}?inquiryNo=${encodeURIComponent(currentLink())}`} download>
              <Trans>Download the letter (PDF)</Trans>
            </ButtonAnchor>
          </p>
        </>
      )}
    </section>
  );
}
