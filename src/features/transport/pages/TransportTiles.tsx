import { useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Grid, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showNumber } from '#kit/contract/text.ts';
import { fleetApi } from '../contract/fleet.ts';
import styles from './TransportTiles.module.css';

/** The figures of the day, each with the list that it counts. */
export function TransportTiles() {
  const { t } = useLingui();
  const { data } = useRead(fleetApi.summary, {});
  // A school that has no vehicle yet needs no figures.
  if (!data?.figures.some(({ value }) => value > 0)) return null;
  return (
    <Grid as="dl" gap="12 16" mt={12} mb={16} className={styles.tiles} aria-label={t`Transport today`}>
      {data.figures.map(({ label, value, isLate, isMore, to }) => (
        <Stack align="start" key={label.id} data-problem={(isLate && value > 0) || undefined}>
          <Text as="dt" tone="soft" size={13}>
            {to ? <ServedLink to={`/school-erp/${to}`}>{translate(label)}</ServedLink> : translate(label)}
          </Text>
          <dd>
            {showNumber(value)}
            {isMore && '+'}
          </dd>
        </Stack>
      ))}
    </Grid>
  );
}
