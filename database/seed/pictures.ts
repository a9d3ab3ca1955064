import sharp from 'sharp';

/** Small in a school that is kept as an archive. */
const size = process.env.KEEP_SCHOOL ? { width: 48 } : null;

const drawn = (svg: string) => sharp(Buffer.from(svg)).resize(size);

/** A drawn child, in place of a real photo. */
export const childPicture = (): Promise<Buffer> =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="420" height="520">
    <rect width="420" height="520" fill="#cfdcd9"/>
    <path d="M60 520c0-110 70-150 150-150s150 40 150 150z" fill="#0b6e6e"/>
    <circle cx="210" cy="230" r="105" fill="#d9a679"/>
    <path d="M100 220c0-90 60-130 110-130s110 40 110 130c-20-50-60-70-110-70s-90 20-110 70z" fill="#2b1d16"/>
    <circle cx="172" cy="235" r="10"/><circle cx="248" cy="235" r="10"/>
    <path d="M170 285q40 32 80 0" fill="none" stroke="#7c3f2a" stroke-width="8" stroke-linecap="round"/>
  </svg>`)
    .jpeg({ quality: 82 })
    .toBuffer();

/** A sheet of paper with a title, in place of a certificate or a family picture. */
export const paperPicture = (title: string): Promise<Buffer> =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="700" height="900">
    <rect width="700" height="900" fill="#fbfaf5"/>
    <rect x="40" y="40" width="620" height="820" fill="none" stroke="#0b6e6e" stroke-width="4"/>
    <text x="350" y="160" font-family="sans-serif" font-size="48" text-anchor="middle" fill="#1c2321">${title}</text>
    <path d="M110 260h480M110 330h480M110 400h480M110 470h320" stroke="#9fb5b1" stroke-width="6"/>
    <circle cx="530" cy="720" r="70" fill="none" stroke="#b3261e" stroke-width="6"/>
  </svg>`)
    .jpeg({ quality: 82 })
    .toBuffer();

/** The demo school's crest: a rising sun in the accent colour. */
export const logoPicture = (): Promise<Buffer> =>
  drawn(`<svg xmlns="http://www.w3.org/2000/svg" width="136" height="136">
    <rect width="136" height="136" rx="32" fill="#0b6e6e"/>
    <circle cx="68" cy="88" r="26" fill="#fff"/>
    <path d="M68 24v22M28 44l14 16M108 44l-14 16M14 88h20M102 88h20" stroke="#fff" stroke-width="9" stroke-linecap="round"/>
    <path d="M12 98h112v26h-112z" fill="#0b6e6e"/>
    <path d="M26 104h84" stroke="#fff" stroke-width="7" stroke-linecap="round"/>
  </svg>`)
    .png()
    .toBuffer();
