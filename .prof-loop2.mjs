import { build } from "esbuild"; import fs from "node:fs"; import {join} from "node:path";
const out="/tmp/prof/store.mjs";
await build({stdin:{contents:'export { fileHistory } from "./file-history.ts";',resolveDir:"/work/main/src/stores/file/"},outfile:out,bundle:true,platform:"node",format:"esm"});
const {fileHistory}=await import(out);
const area=fs.mkdtempSync("/tmp/prof/area-");
const h=fileHistory({projectArea:area,bot:"story_bot",clock:()=>new Date()});
const ev=i=>({type:i%2?"completed":"started",at:new Date().toISOString(),by:"b",workflow:"discovery",pass:1+(i/10|0),step:"s"+((i>>1)%5),attempt:1,successor:null,...(i%2?{duration:6,word:{level:"auto"},fingerprint:"f",next:null,finished:false,outputs:{a:"b"}}:{inputs:{note:"xx"}})});
const T={look:[],append:[],floor:[]};const fd=fs.openSync(join(area,"floor"),"a");
for(let i=0;i<Number(process.argv[2]??600);i++){let t=performance.now();fs.writeSync(fd,"x".repeat(300));fs.fdatasyncSync(fd);T.floor.push(performance.now()-t);
t=performance.now();const {seen}=await h.look();T.look.push(performance.now()-t);globalThis.__on=i>100;t=performance.now();await h.append(seen,[ev(i)]);globalThis.__on=false;T.append.push(performance.now()-t);await new Promise(r=>setTimeout(r,Number(process.argv[3]??0)))}
for(const k in T){const a=T[k].slice(100).sort((x,y)=>x-y);console.log(k,a[a.length>>1].toFixed(3))}
fs.rmSync(area,{recursive:true});
for(const k in globalThis.__t)console.log(k,(__t[k][0]/499).toFixed(4),__t[k][1]/499)
