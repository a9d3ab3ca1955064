import { useLingui } from '@lingui/react/macro';
import { IconBrandWhatsapp, IconPhone } from '@tabler/icons-react';
import { Row } from './Layout.tsx';
import styles from './Reach.module.css';

interface Props {
  name: string;
  /** Ten digits, as stored; nothing is shown for none. */
  mobile: string;
}

/** The ways to reach a person at the end of their row: a call, and a chat in WhatsApp. */
export function Reach({ name, mobile }: Props) {
  const { t } = useLingui();
  if (!mobile) return null;
  const [call, chat] = [t`Call ${name}`, t`WhatsApp to ${name}`];
  return (
    <Row as="span" gap={2} align="center" fixed noPrint>
      <a className={styles.way} href={`tel:+91${mobile}`} aria-label={call} title={call}>
        <IconPhone size={18} aria-hidden />
      </a>
      <a
        className={styles.way}
        href={`https://wa.me/91${mobile}`}
        target="_blank"
        rel="noopener noreferrer"
        aria-label={chat}
        title={chat}
      >
        <IconBrandWhatsapp size={18} aria-hidden />
      </a>
    </Row>
  );
}
