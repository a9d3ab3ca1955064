import { Trans, useLingui } from '@lingui/react/macro';
import type { KeyboardEvent } from 'react';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { Box, Row, Text } from '#kit/browser/ui/Layout.tsx';
import type { ShownVersion } from '../contract/rubric.ts';
import styles from './RatingGrid.module.css';

export interface Rating {
  indicatorId: number;
  levelId: number;
  comment: string;
}

interface Props {
  rubric: ShownVersion;
  ratings: readonly Rating[];
  onRate: (indicatorId: number, levelId: number) => void;
  /** Called when a comment on a rating was typed; absent where nothing is stored. */
  onComment?: (indicatorId: number, comment: string) => void;
}

/** The levels of each indicator. Digits rate and go on to the next row, arrows move between rows and levels. */
export function RatingRows({ rubric, ratings, onRate, onComment }: Props) {
  const { t } = useLingui();
  const { levels } = rubric;
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>, indicatorId: number) => {
    const rows = [...(event.currentTarget.closest('[data-grid]')?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const place = rows.indexOf(event.currentTarget);
    const goTo = (row: HTMLElement | undefined) => {
      const radio = row?.querySelector<HTMLInputElement>('input:checked') ?? row?.querySelector('input');
      radio?.focus();
    };
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      goTo(rows[place + (event.key === 'ArrowDown' ? 1 : -1)]);
    }
    const level = /^[1-9]$/.test(event.key) ? levels[Number(event.key) - 1] : undefined;
    if (!level) return;
    event.preventDefault();
    onRate(indicatorId, level.id);
    goTo(rows[place + 1]);
  };
  return (
    <div data-grid>
      {rubric.domains.map((domain) => (
        <section key={domain.id} className={styles.domain} aria-label={domain.name}>
          <h3>{domain.name}</h3>
          {domain.indicators.map(({ id, text, isCritical, descriptors }) => {
            const rating = ratings.find(({ indicatorId }) => indicatorId === id);
            const rated = rating?.levelId;
            const said = descriptors.find(({ levelId }) => levelId === rated)?.text;
            return (
              <Box
                py={8}
                line="below"
                key={id}
                data-row
                className={styles.row}
                onKeyDown={(event) => onKeyDown(event, id)}
              >
                <p id={`indicator-${id}`}>
                  {text}{' '}
                  {isCritical && (
                    <strong>
                      · <Trans>critical</Trans>
                    </strong>
                  )}
                  {said && (
                    <Text as="span" tone="soft" size={13} block>
                      {said}
                    </Text>
                  )}
                </p>
                <Row gap={6} wrap role="radiogroup" aria-labelledby={`indicator-${id}`} className={styles.levels}>
                  {levels.map((level, index) => (
                    <Row as="label" inline gap={6} align="center" key={level.id} title={level.meaning || undefined}>
                      <input
                        type="radio"
                        name={`rating-${id}`}
                        checked={rated === level.id}
                        onChange={() => onRate(id, level.id)}
                      />
                      <span>
                        {index + 1} {level.label}
                      </span>
                    </Row>
                  ))}
                </Row>
                {rating && onComment && (
                  <input
                    // Another comment once the server has one.
                    key={rating.comment}
                    className={`box ${styles.comment}`}
                    aria-label={t`Comment on ${text}`}
                    placeholder={t`Comment`}
                    maxLength={300}
                    defaultValue={rating.comment}
                    onKeyDown={(event) => event.stopPropagation()}
                    onBlur={({ currentTarget: { value } }) => {
                      if (value.trim() !== rating.comment) onComment(id, value.trim());
                    }}
                  />
                )}
              </Box>
            );
          })}
        </section>
      ))}
    </div>
  );
}

/** The ratings of a form. */
export function RatingGrid({ rubric }: { rubric: ShownVersion }) {
  const { values, change, errors } = useApiForm();
  const ratings = values.ratings as Rating[];
  return (
    <div data-name="ratings">
      <ErrorText id="ratings-error" error={errors.ratings} />
      <RatingRows
        rubric={rubric}
        ratings={ratings}
        onRate={(indicatorId, levelId) =>
          change('ratings', [
            ...ratings.filter((one) => one.indicatorId !== indicatorId),
            { indicatorId, levelId, comment: ratings.find((one) => one.indicatorId === indicatorId)?.comment ?? '' },
          ])
        }
        onComment={(indicatorId, comment) =>
          change(
            'ratings',
            ratings.map((one) => (one.indicatorId === indicatorId ? { ...one, comment } : one)),
          )
        }
      />
    </div>
  );
}
