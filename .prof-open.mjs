import { build } from "esbuild"; import fs from "node:fs"; import {join} from "node:path";
const out="/tmp/prof/store2.mjs";
await build({stdin:{contents:'export { fileHistory } from "./file-history.ts"; export { beginning, toLine } from "./record.ts";',resolveDir:"/work/main/src/stores/file/"},outfile:out,bundle:true,platform:"node",format:"esm"});
const {fileHistory,toLine,beginning}=await import(out);
const area="/tmp/prof/long";
if(!fs.existsSync(area)){fs.mkdirSync(area+"/.waymark/journal",{recursive:true});const steps=["a","b","c","d","e"];const L=[];let prev=beginning;for(let n=0;n<50000;n++){const ref={workflow:"discovery",pass:1+Math.floor(n/5),step:steps[n%5],attempt:1};const at=new Date(Date.UTC(2026,0,1,0,0,n)).toISOString();const st={at,by:"bench",...ref,successor:null};
for(const e of [{type:"started",...st,inputs:{note:"what the assistant was given to go on"}},{type:"completed",...st,duration:60,word:{level:"relayed",text:"yes"},fingerprint:"f",next:null,finished:false,outputs:{summary:"what came of it, in a sentence or two"}}]){const l=toLine({seq:L.length+1,prev,op:crypto.randomUUID(),events:[e]});prev=l.hash;L.push(l.text)}}
fs.writeFileSync(area+"/.waymark/journal/story_bot.jsonl",L.join("\n")+"\n");}
for(let i=0;i<3;i++){const h=fileHistory({projectArea:area,bot:"story_bot",clock:()=>new Date()});const t=performance.now();const s=await h.look();console.log("open",(performance.now()-t).toFixed(0),"ms seen",s.seen,s.found.kind);if(process.argv[2]){const t2=performance.now();await h.append(s.seen,[{type:"focused",at:"",by:"",workflow:"discovery",pass:10000,step:"e",attempt:1}]);console.log("append",(performance.now()-t2).toFixed(1))}h.close()}
