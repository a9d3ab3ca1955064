import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { createPortal } from 'react-dom';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { SeatPlanOfYear } from '../../contract/seat.ts';
import styles from './OffersToMake.module.css';

interface Props {
  plan: SeatPlanOfYear;
  /** Those that are not ticked. */
  left: ReadonlySet<number>;
  onTick: (id: number, isTicked: boolean) => void;
  /** How many are ticked. */
  count: number;
  /** Absent for those who don’t decide. */
  onOffer: (() => void) | undefined;
  /** The page's head, which shows the button; without it the panel does. */
  head: HTMLElement | null | undefined;
}

/** The families that are next where a seat is free, in their order, with one button for all that are ticked. */
export function OffersToMake({ plan: { rows, offers, may }, left, onTick, count, onOffer, head }: Props) {
  const { t } = useLingui();
  const groups = rows.flatMap((row) => {
    const children = offers.filter(({ seatId }) => seatId === row.id);
    return children.length > 0 ? [{ row, children }] : [];
  });
  const act = onOffer && (
    <div className={styles.act}>
      <Button kind="main" onClick={onOffer}>
        <Plural value={count} one="Offer # seat…" other="Offer # seats…" />
      </Button>
    </div>
  );
  return (
    <section className={styles.panel} aria-label={t`Offers to make`}>
      <Row gap={8} align="center" wrap justify="between">
        <h2>
          <Trans>Offers to make</Trans> <span className="soft">{offers.length}</span>
        </h2>
        {head ? createPortal(act, head) : act}
      </Row>
      {groups.map(({ row, children }) => (
        <div key={row.id}>
          <Row gap={8} align="baseline" justify="between" mt={8}>
            <h3>
              {row.grade}, {translateOption(row.quota)}
            </h3>
            <Text as="span" tone="soft" size={13}>
              <Trans>{row.free} free</Trans>
            </Text>
          </Row>
          <List>
            {children.map(({ id, child, since, sibling, score }) => (
              <Row as="li" gap={8} align="center" line="hair-above" key={id} className={styles.child}>
                <div className={styles.words}>
                  <p>
                    <PageLink
                      className="quiet-link"
                      to="/school-erp/admission/process-admission/$inquiryID"
                      params={{ inquiryID: String(id) }}
                    >
                      {child}
                    </PageLink>
                  </p>
                  <Text tone="soft" size={13}>
                    {[
                      since && t`since ${showDate(since, today())}`,
                      score !== null && `${score} %`,
                      sibling && t`brother or sister: ${sibling}`,
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </Text>
                </div>
                {may.plan && (
                  <label className={styles.tick}>
                    <input
                      type="checkbox"
                      aria-label={t`Offer to ${child}`}
                      checked={!left.has(id)}
                      onChange={(event) => onTick(id, event.currentTarget.checked)}
                    />
                  </label>
                )}
              </Row>
            ))}
          </List>
        </div>
      ))}
    </section>
  );
}
