import { startStorage } from './src/service/storage/server';
const s=await startStorage({dataDir:'/tmp/st2',authenticate:null,port:15555,logger:{info(){},warn:console.log,error:console.log}});
console.log(s.url);
