import { promtool } from './promtool.ts';

const ran = promtool();
if (!ran) console.error('promtool is not installed: on Debian, apt-get install prometheus.');
else console.log(ran.said);
process.exit(ran?.ok ? 0 : 1);
